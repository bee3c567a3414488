"""Corrections made in a threshold study are proposals until an expert accepts one."""

from __future__ import annotations

import pytest

from annotate.corpus.precedence import current_captions
from annotate.models import AuditEvent, Caption, Clip, Project
from review.captions.references import human_references
from review.corrections.models import CorrectionDecision
from review.corrections.queries import CorrectionCounts, corrections_to_decide, count_corrections
from review.corrections.services import decide_corrections
from review.errors import ReviewError
from review.studies.services import stop_study
from review.verification.models import Verification
from tests.cast import make_clip, make_person
from tests.hand_work import machine_caption
from tests.review.cast import make_short_project
from tests.review.threshold.studying import WRONG, judge_sample, scored_captions, start_study
from tests.review.verification.verifying import ALL_OK, verified, verify
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db
VALUES = [n / 20 for n in range(20)]
CORRECTED = "A woman opens a door. He wears a red cap. It is a door.\n\nA dog barks."
OTHER = ALL_OK | {"verdict-2": "B", "delete-2": "1"}


@pytest.fixture(scope="module")
def made(kept):
    """A study of twenty captions, each for three people."""
    project = make_short_project()
    scored_captions(project, VALUES)
    return {"project": project, "study": start_study(project, people=3)}


@pytest.fixture
def study(shared):
    return shared["study"]


@pytest.fixture
def sampled(study):
    """The first caption, verified by three people of whom two correct it."""
    first = study.captions.order_by("pk").first()
    for name, content in (("Ben", WRONG), ("Cleo", ALL_OK), ("Dora", OTHER)):
        first.item.refresh_from_db()
        person = make_person(name, study.project, "annotator")
        verify(hold(person, first.item), first.caption, content)
    return first.caption


def member(person, project):
    return person.memberships.get(project=project)


def current(caption) -> Caption:
    return current_captions(Clip.objects.filter(pk=caption.clip_id)).get()


def proposals(caption) -> list[Verification]:
    return list(Verification.objects.filter(caption=caption).exclude(corrected=None))


def test_a_correction_of_a_study_is_a_proposal_and_never_the_current_caption(project, sampled):
    assert [p.corrected.kind for p in proposals(sampled)] == ["proposal", "proposal"]
    assert proposals(sampled)[0].corrected.text == CORRECTED
    assert current(sampled) == sampled
    assert human_references(project, "general") == {}


def test_other_corrections_are_current_at_once(project, anna):
    caption = verified(anna, scored_captions(project, VALUES)[0].caption.clip, WRONG)
    assert current(caption).source == "corrected"


def test_an_expert_accepts_one_and_it_becomes_the_clips_caption(project, sampled, emil):
    first, second = proposals(sampled)
    [waiting] = corrections_to_decide(member(emil, project))
    assert (waiting, waiting.proposals) == (sampled, 2)
    decision = decide_corrections(
        membership=member(emil, project), caption=sampled, accepted=second
    )
    result = current(sampled)
    assert result == decision.result
    assert (result.kind, result.source, result.text) == (
        "general",
        "corrected",
        second.corrected.text,
    )
    assert result.author == second.reviewer
    assert set(result.parents.all()) == {sampled, second.corrected}
    event = AuditEvent.objects.get(verb="accept correction")
    assert (event.actor, event.object_id, event.after) == (
        emil,
        sampled.pk,
        {"verification": second.pk, "current": result.pk},
    )
    assert not corrections_to_decide(member(emil, project)).exists()
    assert first.corrected.text == CORRECTED


def test_rejecting_all_keeps_the_machines_caption_and_loses_nothing(project, sampled, emil):
    decide_corrections(membership=member(emil, project), caption=sampled, accepted=None)
    assert current(sampled) == sampled
    assert proposals(sampled)[0].corrected.text == CORRECTED
    assert AuditEvent.objects.filter(verb="reject corrections", actor=emil).count() == 1


def test_nobody_decides_twice(project, sampled, emil, ada):
    decide_corrections(membership=member(emil, project), caption=sampled, accepted=None)
    with pytest.raises(ReviewError, match="no longer decide"):
        decide_corrections(
            membership=member(ada, project), caption=sampled, accepted=proposals(sampled)[0]
        )
    assert CorrectionDecision.objects.count() == 1


def test_somebody_who_verified_the_caption_decides_nothing(project, study, rita, ada):
    first = study.captions.order_by("pk").first()
    for person in (rita, make_person("Ben", project, "annotator"), ada):
        first.item.refresh_from_db()
        verify(hold(person, first.item), first.caption, WRONG if person == rita else ALL_OK)
    for person in (rita, ada):
        assert not corrections_to_decide(member(person, project)).exists()
        assert count_corrections(member(person, project)).own == 1
        with pytest.raises(ReviewError):
            decide_corrections(
                membership=member(person, project),
                caption=first.caption,
                accepted=proposals(first.caption)[0],
            )


def test_somebody_who_could_still_rate_the_caption_decides_nothing(project, sampled, rita, emil):
    make_work(sampled.clip, "rate", subject=sampled.pk, needed=5)
    assert not corrections_to_decide(member(rita, project)).exists()
    assert count_corrections(member(rita, project)).hidden == 1
    assert corrections_to_decide(member(emil, project)).exists()


def test_a_caption_waits_until_all_its_people_have_verified_it(project, study, anna, emil):
    judge_sample(study, anna, below=1, most=1)
    assert not corrections_to_decide(member(emil, project)).exists()
    assert count_corrections(member(emil, project)) == CorrectionCounts(0, 0, 1, 0, 0, 0)
    stop_study(study=study, admin=None)
    assert corrections_to_decide(member(emil, project)).count() == 1


def test_a_correction_of_another_caption_is_not_accepted(project, sampled, anna, emil):
    other = verified(anna, make_clip(project), WRONG)
    with pytest.raises(ReviewError):
        decide_corrections(
            membership=member(emil, project),
            caption=sampled,
            accepted=Verification.objects.get(caption=other),
        )


def test_a_caption_that_was_replaced_is_not_decided_about(project, sampled, emil):
    machine_caption(sampled.clip, "A man opens a gate.")
    assert not corrections_to_decide(member(emil, project)).exists()
    assert count_corrections(member(emil, project)).replaced == 1
    with pytest.raises(ReviewError, match="the clip has another"):
        decide_corrections(
            membership=member(emil, project), caption=sampled, accepted=proposals(sampled)[0]
        )


def test_a_project_may_keep_them_out(project, sampled, emil):
    project.study_corrections = Project.StudyCorrections.KEEP_OUT
    project.save()
    assert not corrections_to_decide(member(emil, project)).exists()
    with pytest.raises(ReviewError):
        decide_corrections(membership=member(emil, project), caption=sampled, accepted=None)
    assert len(proposals(sampled)) == 2
