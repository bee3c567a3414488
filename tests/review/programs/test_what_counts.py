"""The work of a declared program counts nowhere by default, also what it did before, and everywhere
but in pay once the project counts it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotate.kinds import all_kinds
from annotate.models import Assignment, Project, User, WorkItem
from annotate.projects.services.members import declare_program
from review.activity.queries import daily_throughput, time_per_person
from review.assessment.queries import assessment_state
from review.comparisons.queries import stored_votes
from review.identification.models import (
    IdentificationTask,
    IdentificationTest,
    IdentifiedClip,
)
from review.overview.pace import pace_of
from review.pay.models import PayRate
from review.pay.queries import open_entries, people_paid, unrecorded_work
from review.pay.services import record_pay
from review.people.numbers import ProjectNumbers
from review.quality.models import GivenAnswer, KnownAnswer
from review.ratings.models import Rating
from review.ratings.queries import progress_of, rater_progress
from review.reports.registry import REPORTS
from review.spot_checks.models import SpotCheck, SpotCheckItem
from review.spot_checks.queries import finished_work, judged_counts
from review.studies.models import Study, StudyCaption
from review.threshold.queries import studies_of, verify_work
from review.threshold.services import low_captions
from review.verification.queries import list_verifications
from tests.cast import make_clip, make_person, make_project
from tests.hand_work import machine_caption
from tests.inference.cast import make_model
from tests.inference.scored import score, score_run
from tests.review.agreement import agreeing
from tests.review.agreement.agreeing import THREE, task_of
from tests.review.triplets.triplets import make_label, make_pair
from tests.work import make_work

pytestmark = pytest.mark.django_db
SCORER = "f" * 64
TODAY = timezone.now().date()


class World:
    """A project with a subject of each kind of work that is counted."""

    def __init__(self) -> None:
        self.project = project = make_project(protocol="lovr", currency="EUR")
        self.ada = make_person("Ada", project, "admin")
        self.rita, self.ben, self.bot = (
            make_person(name, project, "annotator", "reviewer") for name in ("Rita", "Ben", "Bot")
        )
        run = score_run(project, make_model(project, "lexical"))
        self.captions = [machine_caption(make_clip(project), THREE) for _ in range(4)]
        self.study = Study.objects.create(
            project=project, kind="threshold", people=1, scorer=SCORER, strata=1
        )
        for caption in self.captions:
            scored = score(caption.clip, 0.1, run, caption=caption, scorer=SCORER)
            StudyCaption.objects.create(study=self.study, caption=caption, score=scored)
        self.rating = Study.objects.create(project=project, kind="rating", people=2, per_rater=9)
        for caption in self.captions:
            item = task_of(self.ada, caption.clip, "rate", caption.pk).item
            StudyCaption.objects.create(study=self.rating, caption=caption, item=item)
            make_work(caption.clip, "dynamics", subject=caption.clip_id)
        labels = [make_label(project, name) for name in ("Turn", "Twist")]
        self.pair_clip = self.captions[0].clip
        self.pair = make_pair(*labels)
        self.systems = agreeing.open_round(project, 4)
        self.test = IdentificationTest.objects.create(
            project=project, options=4, people=3, ended_at=timezone.now()
        )
        self.gold = KnownAnswer.objects.create(
            project=project,
            item=WorkItem.objects.create(
                project=project, clip=self.captions[0].clip, kind="verify", purpose="gold"
            ),
            source=task_of(self.ada, self.captions[0].clip, "write"),
            content={},
        )
        self.check = SpotCheck.objects.create(
            project=project, kind="verify", per_person=9, seed=0, ended_at=timezone.now()
        )
        for kind in all_kinds():
            PayRate.objects.create(
                project=project, kind=kind, per_item=100, per_hour=0,
                starts_on=TODAY - timedelta(days=9),
            )  # fmt: skip

    def work(self, person: User, captions: slice, letter: str) -> None:
        """Have the person do each kind of work."""
        for place, caption in list(enumerate(self.captions))[captions]:
            assignment = task_of(person, caption.clip, "verify", caption.pk)
            agreeing.label_sentences(caption, person, letter, "", "B")
            SpotCheckItem.objects.create(
                check_of=self.check, assignment=assignment, place=10 * person.pk + place,
                is_right=True, judged_by=self.ada, judged_at=timezone.now(),
            )  # fmt: skip
            rate = task_of(person, caption.clip, "rate", caption.pk)
            Rating.objects.create(
                caption=caption, study=self.rating, rater=person, assignment=rate, value=3
            )
            agreeing.call_dynamic(caption.clip, person, is_dynamic=True)
            agreeing.vote(self.systems, place, person, "left")
            text, _ = self.test.texts.get_or_create(
                clip=caption.clip, caption=caption, defaults={"group": 0}
            )
            task = IdentificationTask.objects.create(
                text=text, person=person, clips=[each.clip_id for each in self.captions]
            )
            picked = task_of(person, caption.clip, "identify", task.pk)
            IdentifiedClip.objects.create(task=task, assignment=picked, clip=caption.clip)
        agreeing.call_pair(self.pair, self.pair_clip, person, "temporal")
        GivenAnswer.objects.create(
            known_answer=self.gold, person=person, content={}, is_right=True, share=1,
            assignment=Assignment.objects.create(
                item=self.gold.item, annotator=person, state="submitted",
                lease_expires_at=timezone.now(),
            ),
        )  # fmt: skip
        Assignment.objects.filter(annotator=person).update(
            submitted_at=timezone.now(), active_seconds=60, sent_back_at=timezone.now()
        )
        WorkItem.with_known_answers.filter(project=self.project).update(state="done", open_slots=0)

    def figures(self) -> dict[str, Any]:
        """Return all that counts people's work: by name, what a page or a report shows of it."""
        # Another object, because one reads once who is a program.
        project = Project.objects.get(pk=self.project.pk)
        admin = project.memberships.select_related("project", "user").get(user=self.ada)
        rating = Study.objects.select_related("project").get(pk=self.rating.pk)
        kinds = list(all_kinds())
        reports = {
            f"{name} {inputs.subject}": (inputs.hash, inputs.stored_parameters)
            for name, kind in REPORTS.items()
            if kind.of_people
            for inputs in kind.inputs_of(project)
        }
        people = ProjectNumbers(project)
        keys, totals = list_verifications(admin, {})
        return reports | {
            "votes": stored_votes(self.systems.round.__class__.objects.get()),
            "assessment state": assessment_state(project),
            "progress of ratings": progress_of([rating])[rating.pk].done,
            "raters": [(row.person, row.done) for row in rater_progress(rating)],
            "studies": [
                (study.done, study.complete, study.verified)
                for study in studies_of(project)[SCORER]
            ],
            "verified": verify_work(project).verified,
            "low captions": set(low_captions(project, SCORER, 0.5).values_list("pk", flat=True)),
            "verifications": (len(keys), totals),
            "spot checks": finished_work(project, "verify").count(),
            "judged": judged_counts(project),
            "people": (people.finished, people.per_day, people.sent_back, people.gold),
            "times": people.times,
            "pace": pace_of(project, kinds).people,
            "days": daily_throughput(project, kinds),
            "time": time_per_person(project, kinds),
        }

    def pay(self) -> tuple[object, ...]:
        project = Project.objects.get(pk=self.project.pk)
        pace = pace_of(project, [])
        return (
            unrecorded_work(project).count(),
            [(row.person, row.total, row.due) for row in people_paid(project, TODAY)],
            pace.money and pace.money.paid,
            open_entries(project, self.bot, TODAY).count(),
        )


@pytest.fixture
def world() -> World:
    return World()


def test_a_programs_work_counts_nowhere_unless_the_project_counts_it(world: World) -> None:
    world.work(world.rita, slice(0, 3), "A")
    world.work(world.ben, slice(0, 3), "")
    record_pay(project=Project.objects.get(pk=world.project.pk))
    membership = world.project.memberships.get(user=world.bot)
    declare_program(membership=membership, admin=world.ada, program="Judge 7B")
    expected, paid = world.figures(), world.pay()

    world.work(world.bot, slice(0, 4), "D")
    assert world.figures() == expected
    assert world.pay() == paid
    declare_program(membership=membership, admin=world.ada, program="")
    world.project.refresh_from_db()
    as_a_person = world.figures()
    assert [name for name in expected if as_a_person[name] == expected[name]] == []
    record_pay(project=Project.objects.get(pk=world.project.pk))  # before it is declared again
    assert world.pay() != paid
    declare_program(membership=membership, admin=world.ada, program="Judge 7B")
    assert world.figures() == expected
    assert world.pay() == paid

    Project.objects.update(counts_programs=True)
    counted = world.figures()
    for name, of_person in as_a_person.items():
        if name in expected and isinstance(of_person, tuple) and "programs" in str(counted[name]):
            assert counted[name][1] == of_person[1] | {"programs": "counted"}
        else:
            assert counted[name] == of_person
    assert world.pay() == paid
