"""Clips that go through the three steps by the queue's own services."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from annotate.corpus.services.opening import open_writing
from annotate.merge.services import submit_merge
from annotate.models import Assignment, Clip, Membership, Project, User, WorkItem
from annotate.queue.content import merge_content
from annotate.queue.services import claim_next
from annotate.split.services import submit_split
from annotate.text.merging import WriteUpText, propose_rows
from annotate.write.queries import write_ups
from annotate.write.services import submit_write_up
from tests.cast import make_cast, make_project, make_video
from tests.media import make_playable

PARTS = {
    "overview": "A diver jumps from a tower.",
    "objects": "The tower is grey and the water is blue.",
    "actions": "She turns once and enters the water.",
    "misc": "The camera is still. The mood is calm.",
}


def make_short_project(**fields) -> Project:
    """A project whose write-ups may be a few words long."""
    return make_project(**{"min_words": 5, "max_words": 400, **fields})


def take(project: Project, person: User, kind: str, clip: Clip) -> Assignment:
    """The person's hold on this very clip: it comes first in the queue."""
    WorkItem.objects.filter(clip=clip, kind=kind).update(priority=1)
    membership = Membership.objects.select_related("project").get(project=project, user=person)
    assignment = claim_next(membership=membership, kind=kind)
    assert assignment is not None
    assert assignment.item.clip_id == clip.pk
    WorkItem.objects.filter(clip=clip, kind=kind).update(priority=0)
    return assignment


def _submit(submit, assignment: Assignment, content: dict[str, str]) -> Assignment:
    return submit(
        assignment_id=assignment.pk,
        annotator=assignment.annotator,
        key=uuid4(),
        base_version=assignment.draft_version,
        content=content,
    )


def write(project: Project, clip: Clip, *people: User, parts: dict[str, str] = PARTS) -> None:
    for person in people:
        assignment = take(project, person, "write", clip)
        _submit(submit_write_up, assignment, parts)


def merge(project: Project, clip: Clip, expert: User, **ticks: str) -> None:
    assignment = take(project, expert, "merge", clip)
    a, b = write_ups(clip)
    rows = propose_rows(WriteUpText(a.parts), WriteUpText(b.parts))
    for row in (row for part_rows in rows.values() for row in part_rows):
        row["text"] = row["a_text"]
    _submit(submit_merge, assignment, {**merge_content(rows), **ticks})


def split(project: Project, clip: Clip, person: User, **texts: str) -> None:
    assignment = take(project, person, "split", clip)
    content = {
        "spatial": f"{PARTS['overview']} {PARTS['objects']}",
        "temporal": f"{PARTS['overview']} {PARTS['actions']}",
    }
    _submit(submit_split, assignment, {**content, **texts})


def open_clip(project: Project, name: str, *, make=None, **fields) -> Clip:
    """A clip whose writing is open; `make` is the fixture that gives it real files."""
    fields = {"original_name": f"{name}.mp4", **fields}
    clip = make(project, **fields) if make else make_video(project, **fields).clips.get()
    open_writing(clips=[clip], writers=project.writers_per_clip)
    return clip


def complete(project: Project, clip: Clip, writers: list[User], expert: User) -> Clip:
    write(project, clip, *writers)
    merge(project, clip, expert)
    split(project, clip, writers[0])
    return clip


def make_complete_world(rendered: Path, *names: str) -> dict[str, Any]:
    """Return a project with its cast and complete clips of these names, for `made`."""
    project = make_short_project()
    world = {"project": project, **make_cast(project), "clips": {}}
    for name in names:
        add_complete(world, rendered, name)
    return world


def add_complete(world: dict[str, Any], rendered: Path, name: str, **fields: str) -> Clip:
    """Add a complete clip with real files to a world of `make_complete_world`."""
    make = partial(make_playable, rendered)
    clip = open_clip(world["project"], name, make=make, **fields)
    complete(world["project"], clip, [world["anna"], world["ben"]], world["emil"])
    world["clips"][name] = clip
    return clip
