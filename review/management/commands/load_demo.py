"""manage.py load_demo [--yes]: load people, clips, texts, models and a simulated study.

The demo is made by the services that people use. Every step is skipped if it is done already, so
an interrupted load continues, and a second load changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from annotate.errors import AnnotateError
from annotate.management.quick import QuickCommand
from annotate.models import Membership, Project, Role, User
from annotate.models.jobs import ACTIVE, Job
from annotate.projects.services.projects import create_project
from fixtures.demo_content import Demo, Person, load_demos
from fixtures.real_clips import MissingClipsError
from inference.errors import InferenceError
from inference.registry import Role as ModelRole
from inference.registry import has_role
from inference.specs.services import add_built_in_models, place_model
from review.errors import ReviewError
from review.management.checked_work import check_and_pay
from review.management.demo_texts import write_demo_texts
from review.management.demo_videos import import_demo_videos
from review.management.finished_lovr import finish_job, finish_lovr, finish_past_jobs
from review.management.first_guidance import ask_questions, show_examples
from review.management.first_members import join_invited, leave_one_open
from review.management.first_round import start_first_round
from review.management.first_takedowns import take_down_videos
from review.management.first_test import identify_clips
from review.management.first_votes import vote_first
from review.management.known_votes import know_votes
from review.management.made_up_dives import label_dives, pair_labels
from review.management.made_up_triplets import make_triplets
from review.management.measured import measure_texts
from review.management.past import DAYS, days_ago, log_in_order, order_notices
from review.management.set_up import add_candidates, set_up
from review.management.simulated_dives import caption_dives
from review.management.simulated_encoders import embed_simulated
from review.management.simulated_ratings import rate_simulated
from review.management.simulated_round import load_simulated_round
from review.management.simulated_study import accept_study_corrections, load_simulated_study
from review.releases.archives import PACK_RELEASE
from review.releases.services import BUILD_RELEASE, start_release
from review.reports.registry import REPORTS
from review.reports.services import recompute

Report = Callable[[str], None]


# Public on purpose: the demo is for your own machine.
PASSWORD = "try the demo"
NOTES = (
    "From import to release. The people of the demo are made up, and so are the days on which "
    "they worked."
)


class Command(QuickCommand):
    help = "Load the demo: four projects with people, clips, texts, models and reports."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--yes", action="store_true", help="load it even on a public site")
        parser.add_argument(
            "--build-later", action="store_true", help="leave the releases to a worker"
        )
        parser.add_argument("--migrate", action="store_true", help="migrate the database first")

    def handle(self, *, yes: bool, build_later: bool, migrate: bool, **options: object) -> None:
        if settings.SESSION_COOKIE_SECURE and not yes:
            raise CommandError(
                "This is a public site, and everybody knows the password of the demo's people. "
                "Add --yes to load them anyway."
            )
        if migrate:
            call_command("migrate", verbosity=0)
        demos = load_demos()
        # Hashed once: it is slow on purpose, and everybody knows the password.
        password = make_password(PASSWORD)
        try:
            for demo in demos:
                self.stdout.write(
                    load(
                        demo,
                        password=password,
                        report=self.stderr.write,
                        builds_later=build_later,
                    )
                )
        except (AnnotateError, InferenceError, ReviewError, MissingClipsError) as error:
            raise CommandError(str(error)) from error
        order_notices(Project.objects.filter(slug__in=[demo.project.slug for demo in demos]))
        _write_summary(demos)


def _write_summary(demos: Sequence[Demo]) -> None:
    """Write who can sign in and what to try to a file, which `make demo` prints."""
    folder = Path(getattr(settings, "DATA_DIR", settings.MEDIA_ROOT))
    people = {person.email: person for demo in demos for person in demo.people}
    summary = {
        "people": [
            {"name": p.name, "email": p.email, "password": PASSWORD, "roles": p.roles}
            for p in people.values()
        ],
        "projects": [{"name": d.project.name, "hint": d.project.hint} for d in demos],
    }
    (folder / "demo.json").write_text(json.dumps(summary, indent=1) + "\n")


def load(demo: Demo, *, password: str, report: Report, builds_later: bool = False) -> str:
    """Load one project completely, and return a sentence for the terminal. `password`: that of new
    people, hashed. `builds_later`: its release is left to a worker. Raises ReviewError."""
    people = {person.key: _person(person, password) for person in demo.people}
    admin = next(people[person.key] for person in demo.people if "admin" in person.roles)
    with log_in_order():
        project = _project(demo, people, admin)
        if _is_complete(project, demo):
            return f"{project.name} is already loaded."
        _make(project, demo, people, admin, report)
    if not demo.release:
        return f"Loaded {project.name}: {len(demo.videos)} videos."
    report("Computing reports ...")
    for name in REPORTS:
        recompute(project=project, name=name)
    finish_past_jobs(project)
    start_release(project=project, version=demo.release, admin=admin, notes=NOTES)
    if builds_later:
        return f"Loaded {project.name}. A worker builds release {demo.release}."
    report("Building a release ...")
    for kind in (BUILD_RELEASE, PACK_RELEASE):
        finish_job(Job.objects.get(project=project, kind=kind))
    return f"Loaded {project.name}: release {demo.release}."


def _make(
    project: Project, demo: Demo, people: dict[str, User], admin: User, report: Report
) -> None:
    """Import the videos and do the work of the project."""
    waits = {video.file for video in demo.videos if demo.scenes} - demo.scenes.keys()
    import_demo_videos(project, [video for video in demo.videos if video.file not in waits], report)
    if demo.project.is_simulated:
        raters = [people[key] for key in ("anna", "ben", "rita") if key in people]
        _simulate(project, raters, admin, report)
    elif project.protocol == Project.Protocol.TFCOVR:
        report("Labeling, pairing and judging dives ...")
        with days_ago(DAYS + 0.2):
            label_dives(project=project, admin=admin)
            pair_labels(project=project, admin=admin)
        if demo.release:
            make_triplets(project=project, people=people, admin=admin)
            caption_dives(project=project, admin=admin)
            embed_simulated(project=project, admin=admin, embeds_texts=True)
    elif project.protocol == Project.Protocol.LOVR:
        with days_ago(DAYS + 0.3):
            _add_models(project, admin)
        if demo.scenes:
            report("Cutting, captioning, scoring and fusing ...")
            finish_lovr(project=project, demo=demo, people=people, admin=admin)
            embed_simulated(project=project, admin=admin)
    else:
        import_demo_videos(project, demo.sources, report)
        add_candidates(project=project, segments=demo.segments, admin=admin)
        write_demo_texts(project, demo, people, report)
        ask_questions(project=project, people=people)
        show_examples(project=project, admin=admin)
        report("Measuring a draft of each clip ...")
        with days_ago(6.5):
            start_first_round(project=project, admin=admin)
        with days_ago(0.38):  # after the last text is written
            measure_texts(project=project, admin=admin)
        embed_simulated(project=project, admin=admin)
        report("Identifying, voting, checking and paying ...")
        # Before the votes: a person who has worked on a clip isn't asked to identify it.
        identify_clips(project=project, people=[people["rita"], people["ada"]], admin=admin)
        voters = [people[key] for key in ("emil", "rita", "ada") if key in people]
        vote_first(project=project, people=voters)
        if {"emil", "rita"} <= people.keys():
            others = [people["rita"], admin]
            know_votes(project=project, trainee=people["emil"], others=others, admin=admin)
        check_and_pay(project=project, admin=admin)
        take_down_videos(project=project, admin=admin)
        leave_one_open(project=project, admin=admin)
        set_up(project=project, people=list(people.values()), admin=admin)
    import_demo_videos(
        project, [video for video in demo.videos if video.file in waits], report, days=0.3
    )


def _is_complete(project: Project, demo: Demo) -> bool:
    """Return whether the release is there, or a worker is to build it."""
    if not demo.release:
        return False
    is_asked = Job.objects.filter(project=project, kind=BUILD_RELEASE, state__in=ACTIVE).exists()
    return is_asked or project.releases.filter(version=demo.release).exists()


def _simulate(project: Project, raters: Sequence[User], admin: User, report: Report) -> None:
    report("Making up captions, scores, judgments and votes ...")
    with days_ago(DAYS - 1):
        load_simulated_study(project=project, admin=admin)
    add_built_in_models(project=project, admin=admin)
    with days_ago(DAYS - 2):
        accept_study_corrections(project=project, admin=admin)
    rate_simulated(project=project, raters=raters, admin=admin)
    embed_simulated(project=project, admin=admin)
    load_simulated_round(project=project, admin=admin)


def _person(person: Person, password: str) -> User:
    user, _ = User.objects.get_or_create(
        email=person.email, defaults={"name": person.name, "password": password}
    )
    return user


@transaction.atomic
def _project(demo: Demo, people: dict[str, User], admin: User) -> Project:
    project = Project.objects.filter(slug=demo.project.slug).first()
    if project is None:
        with days_ago(DAYS + 1):
            project = create_project(
                creator=admin,
                name=demo.project.name,
                slug=demo.project.slug,
                protocol=demo.project.protocol,
                license=demo.project.license,
                is_simulated=demo.project.is_simulated,
            )
    invited = [(people[each.key], each.roles) for each in demo.people if people[each.key] != admin]
    join_invited(project=project, people=invited, admin=admin)
    for person in demo.people:
        roles = {f"is_{role}": role in person.roles for role in Role}
        Membership.objects.filter(project=project, user=people[person.key]).update(**roles)
    return project


@transaction.atomic
def _add_models(project: Project, admin: User) -> None:
    """Add the models without weights; the captioner among them also refines captions."""
    for spec in add_built_in_models(project=project, admin=admin):
        if has_role(spec, ModelRole.CAPTIONER):
            place_model(spec=spec, move="in", admin=admin)
