"""manage.py load_demo [--yes]: load people, clips, texts, models and a simulated study.

The demo is made by the services that people use. Every step is skipped if it is done already, so
an interrupted load continues, and a second load changes nothing.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction

from annotate.errors import AnnotateError
from annotate.imports.services import add_item, copy_file, open_batch
from annotate.jobs.services.working import work_on
from annotate.merge.services import submit_merge
from annotate.models import (
    Assignment,
    Clip,
    ImportBatch,
    ImportItem,
    Membership,
    Project,
    Role,
    User,
    WorkItem,
)
from annotate.projects.services.projects import create_project
from annotate.queue.content import Content, merge_content
from annotate.queue.services import claim_next
from annotate.split.services import submit_split
from annotate.text.merging import Rows, realign_rows
from annotate.text.sentences import split_sentences
from annotate.write.queries import write_ups
from annotate.write.services import submit_write_up
from fixtures.demo_content import Demo, Person, Video, WriteUp, load_demos
from fixtures.demo_dives import render_videos
from fixtures.real_clips import MissingClipsError, real_clips
from fixtures.render import render_clips
from inference.errors import InferenceError
from inference.registry import Role as ModelRole
from inference.registry import has_role
from inference.specs.services import add_built_in_models, place_model
from review.errors import ReviewError
from review.management.first_round import start_first_round
from review.management.made_up_dives import label_dives, pair_labels
from review.management.simulated_round import load_simulated_round
from review.management.simulated_study import accept_study_corrections, load_simulated_study
from review.releases.archives import start_archive
from review.releases.services import build_release

Report = Callable[[str], None]
Kind = WorkItem.Kind
IMPORTS_AT_ONCE = 2


# Public on purpose: the demo is for your own machine.
PASSWORD = "try the demo"


class Command(BaseCommand):
    help = "Load the demo: four projects with people, clips, texts, models and reports."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--yes", action="store_true", help="load it even on a public site")

    def handle(self, *, yes: bool, **options: object) -> None:
        if settings.SESSION_COOKIE_SECURE and not yes:
            raise CommandError(
                "This is a public site, and everybody knows the password of the demo's people. "
                "Add --yes to load them anyway."
            )
        demos = load_demos()
        try:
            for demo in demos:
                self.stdout.write(load(demo, password=PASSWORD, report=self.stderr.write))
        except (AnnotateError, InferenceError, ReviewError, MissingClipsError) as error:
            raise CommandError(str(error)) from error
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


def load(demo: Demo, *, password: str, report: Report) -> str:
    """Load one project completely, and return a sentence for the terminal. Raises ReviewError."""
    people = {person.key: _person(person, password) for person in demo.people}
    admin = next(people[person.key] for person in demo.people if "admin" in person.roles)
    project = _project(demo, people, admin)
    if project.releases.filter(version=demo.release).exists():
        return f"{project.name} is already loaded."
    _import_videos(project, demo, report)
    if demo.project.is_simulated:
        load_simulated_study(project=project, admin=admin)
        accept_study_corrections(project=project, admin=admin)
        load_simulated_round(project=project, admin=admin)
        return f"Loaded {project.name}."
    if project.protocol == Project.Protocol.TFCOVR:
        label_dives(project=project, admin=admin)
        pair_labels(project=project, admin=admin)
    if project.protocol == Project.Protocol.LOVR:
        _add_models(project, admin)
    for video in demo.videos:
        if video.write_ups:
            report(f"{video.file}: {video.state}")
            _write_about(project, video, people)
    if project.protocol == Project.Protocol.CAREBENCH:
        start_first_round(project=project, admin=admin)
    if not demo.release:
        return f"Loaded {project.name}: {len(demo.videos)} videos."
    release = build_release(
        project=project,
        version=demo.release,
        admin=admin,
        notes="The first clips, from import to release.",
    )
    if job := start_archive(release=release, format_name=release.format, user=admin):
        work_on(job_id=job.pk)
    return f"Loaded {project.name}: release {demo.release}."


def _person(person: Person, password: str) -> User:
    user = User.objects.filter(email=person.email).first()
    return user or User.objects.create_user(person.email, password, name=person.name)


@transaction.atomic
def _project(demo: Demo, people: dict[str, User], admin: User) -> Project:
    project = Project.objects.filter(slug=demo.project.slug).first()
    if project is None:
        project = create_project(
            creator=admin,
            name=demo.project.name,
            slug=demo.project.slug,
            protocol=demo.project.protocol,
            licence=demo.project.licence,
            is_simulated=demo.project.is_simulated,
        )
    for person in demo.people:
        roles = {f"is_{role}": role in person.roles for role in Role}
        Membership.objects.get_or_create(project=project, user=people[person.key], defaults=roles)
        Membership.objects.filter(project=project, user=people[person.key]).update(**roles)
    return project


@transaction.atomic
def _add_models(project: Project, admin: User) -> None:
    """Add the models without weights; the captioner among them also refines captions."""
    for spec in add_built_in_models(project=project, admin=admin):
        if has_role(spec, ModelRole.CAPTIONER):
            place_model(spec=spec, move="in", admin=admin)


def _import_videos(project: Project, demo: Demo, report: Report) -> None:
    present = set(project.videos.values_list("original_name", flat=True))
    missing = [video for video in demo.videos if video.file not in present]
    if not missing:
        return
    report(f"Importing {len(missing)} clips …")
    with tempfile.TemporaryDirectory(prefix="vericap-demo-") as folder:
        files = _files(missing, Path(folder))
        batch = open_batch(project=project, admin=None)
        for video in missing:
            source = files[video.file]
            item = add_item(
                batch=batch,
                name=video.file,
                size=source.stat().st_size,
                category=video.category,
                subcategory=video.subcategory,
                licence=video.licence,
                source_url=video.source_url,
            )
            copy_file(item=item, source=source, queue=False)
        with ThreadPoolExecutor(IMPORTS_AT_ONCE) as pool:
            list(pool.map(_run_imports, [batch] * IMPORTS_AT_ONCE))
    refused = batch.items.exclude(state=ImportItem.State.DONE).order_by("position")
    if refused:
        raise ReviewError(" ".join(f"{item.name}: {item.reason}" for item in refused))


def _files(videos: list[Video], folder: Path) -> dict[str, Path]:
    rendered = [Path(video.file).stem for video in videos if video.origin == "rendered"]
    files = render_clips(folder, rendered) if rendered else {}
    if any(video.origin == "dives" for video in videos):
        files |= render_videos(folder)
    return {**files, **(real_clips() if any(v.origin == "real" for v in videos) else {})}


def _run_imports(batch: ImportBatch) -> None:
    # Imported here, because it loads the video libraries.
    from annotate.imports.services.running import run_batch

    try:
        run_batch(batch=batch)
    finally:
        connection.close()  # each thread has its own


def _write_about(project: Project, video: Video, people: dict[str, User]) -> None:
    clip = project.clips.get(video__original_name=video.file)
    for text in video.write_ups:
        _do(clip, Kind.WRITE, people[text.author], submit_write_up, text.parts)
    if video.merged:
        merged = video.merged
        expert = people[merged.author]
        _do(clip, Kind.MERGE, expert, submit_merge, lambda: _merge(clip, merged))
    if video.split:
        split = video.split
        content = {"spatial": split.spatial, "temporal": split.temporal}
        _do(clip, Kind.SPLIT, people[split.author], submit_split, lambda: content)


def _do(
    clip: Clip,
    kind: str,
    person: User,
    submit: Callable[..., Assignment],
    content: Callable[[], Content],
) -> None:
    """Claim and submit a step of a clip, unless it is submitted already."""
    submitted = Assignment.objects.filter(
        item__clip=clip, item__kind=kind, annotator=person, state=Assignment.State.SUBMITTED
    )
    if submitted.exists():
        return
    assignment = _take(clip, kind, person)
    submit(
        assignment_id=assignment.pk,
        annotator=person,
        key=uuid4(),
        base_version=assignment.draft_version,
        content=content(),
    )


@transaction.atomic
def _take(clip: Clip, kind: str, person: User) -> Assignment:
    """Claim a step of this clip, which comes first in the queue during the claim."""
    items = WorkItem.objects.filter(clip=clip, kind=kind)
    items.update(priority=1)
    membership = Membership.objects.select_related("project").get(
        project=clip.project_id, user=person
    )
    assignment = claim_next(membership=membership, kind=kind)
    items.update(priority=0)
    if assignment is None or assignment.item.clip_id != clip.pk:
        raise ReviewError(
            f"{person} can't {kind} {clip}: somebody worked in the demo before it was complete. "
            "Start over with make demo RESET=1."
        )
    return assignment


def _merge(clip: Clip, merged: WriteUp) -> Content:
    """Align the expert's sentences with the closest sentences of the two write-ups."""
    a, b = (caption.parts for caption in write_ups(clip))
    written: Rows = {
        part: [
            {"a": None, "b": None, "a_text": s.text, "b_text": s.text, "text": s.text}
            for s in split_sentences(text)
        ]
        for part, text in merged.parts().items()
    }
    return merge_content(realign_rows(written, a, b))
