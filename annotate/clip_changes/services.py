"""Change many clips at once, and undo it: each in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from annotate.audit import record_event
from annotate.clip_changes.action import Before, Values
from annotate.clip_changes.actions import ACTIONS
from annotate.errors import AnnotateError
from annotate.jobs.services.starting import start_job
from annotate.models import Clip, ClipChange, Project, User
from annotate.models.jobs import Job
from annotate.stored_json import as_json

CLIP_CHANGE = "clip_change"
MAX_IN_A_REQUEST = 500  # clips; a worker changes more
BATCH_SIZE = 2000


@dataclass(frozen=True)
class ChangeParameters:
    """`change` is the key of the ClipChange that the job makes or undoes."""

    change: int
    is_undo: bool


@transaction.atomic
def change_clips(
    *, project: Project, clips: Sequence[int], action: str, values: Values, actor: User
) -> ClipChange:
    """Take an action on these clips of the project, given by key, or have a worker take it where
    they are many. Raises AnnotateError.
    """
    if not clips:
        raise AnnotateError("Choose at least one clip.")
    own = Clip.objects.filter(project=project)
    if sum(own.filter(pk__in=part).count() for part in _parts(clips)) != len(set(clips)):
        raise AnnotateError("Some of the clips are not in this project. Choose them again.")
    change = ClipChange.objects.create(
        project=project, action=action, values=dict(values), clips=list(clips), made_by=actor
    )
    if len(clips) > MAX_IN_A_REQUEST:
        _start(change, is_undo=False, actor=actor)
    else:
        apply_change(change)
    return change


@transaction.atomic
def undo_change(*, change: ClipChange, actor: User) -> ClipChange:
    """Undo the change, except where somebody has changed a value again. Raises AnnotateError."""
    change = ClipChange.objects.select_for_update(of=("self",)).get(pk=change.pk)
    if change.undone_at:
        raise AnnotateError("This was undone already. Nothing was changed.")
    if change.changed is None:
        raise AnnotateError("A worker still makes this change. Undo it when it is done.")
    if len(change.clips) > MAX_IN_A_REQUEST:
        _start(change, is_undo=True, actor=actor)
    else:
        revert_change(change, actor)
    return change


def apply_change(change: ClipChange) -> None:
    """Make the change now, in the transaction of the caller. Raises AnnotateError."""
    action, project = ACTIONS[ClipChange.Action(change.action)], change.project
    before: Before = []
    for part in _parts(change.clips):
        clips = Clip.objects.filter(project=project, pk__in=part)
        rows = action.affected(project, clips, change.values).order_by("pk")
        locked: list[Model] = list(rows.select_for_update(of=("self",), no_key=True))
        before += action.change(locked, change.values, project, change.made_by)
    change.before, change.changed = before, len(before)
    change.save(update_fields=["before", "changed"])
    _record(change, change.made_by, "change clips", len(before))


def revert_change(change: ClipChange, actor: User) -> None:
    """Undo the change now, in the transaction of the caller. Raises AnnotateError."""
    action = ACTIONS[ClipChange.Action(change.action)]
    number = 0
    for start in range(0, len(change.before), BATCH_SIZE):
        part = change.before[start : start + BATCH_SIZE]
        number += action.undo(part, change.values, change.project, actor)
    change.undone_at = timezone.now()
    change.save(update_fields=["undone_at"])
    _record(change, actor, "undo change of clips", number)


def _start(change: ClipChange, *, is_undo: bool, actor: User) -> None:
    change.job = start_job(
        Job(
            project=change.project,
            kind=CLIP_CHANGE,
            lane=str(change.pk),
            title=f"{'Undo: ' if is_undo else ''}{change}",
            parameters=as_json(ChangeParameters(change.pk, is_undo)),
            created_by=actor,
        )
    )
    change.save(update_fields=["job"])


def _record(change: ClipChange, actor: User, verb: str, number: int) -> None:
    record_event(
        actor=actor,
        verb=verb,
        subject=change,
        project=change.project,
        after={
            "action": change.action,
            "values": change.values,
            "clips": len(change.clips),
            "changed": number,
        },
    )


def _parts(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(keys), BATCH_SIZE):
        yield keys[start : start + BATCH_SIZE]
