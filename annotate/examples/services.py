"""Change the examples of a guideline. Each change is a version of the guideline."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.guidelines.versions import record_version, shown_keys
from annotate.models import (
    Assignment,
    Clip,
    GuidelineExample,
    GuidelineVersion,
    Project,
    ShownExample,
    User,
)
from annotate.ordering import moved

MAX_EXAMPLES = 20
State = Assignment.State
AT_WORK = (State.HELD, State.RETURNED, State.PAUSED)
Parts = Sequence[tuple[str, str]]


@transaction.atomic
def add_example(
    *,
    project: Project,
    kind: str,
    clip: Clip,
    parts: Parts,
    is_good: bool,
    comment: str,
    admin: User,
) -> GuidelineExample:
    """Add an example as the last one of the guideline. Raises AnnotateError."""
    project = Project.objects.lock(project.pk)
    keys = shown_keys(project, kind)
    example = _store(project, kind, clip, parts, is_good, comment, admin)
    _show(project, kind, [*keys, example.pk], admin, f"Example {clip.name} added")
    return example


@transaction.atomic
def change_example(
    *, example: GuidelineExample, parts: Parts, is_good: bool, comment: str, admin: User
) -> GuidelineExample:
    """Put a changed example in the place of this one. Raises AnnotateError if it was removed or
    changed in the meantime."""
    project, kind, clip = Project.objects.lock(example.project_id), example.kind, example.clip
    keys = shown_keys(project, kind)
    _refuse_gone(example, keys)
    changed = _store(project, kind, clip, parts, is_good, comment, admin)
    keys = [changed.pk if key == example.pk else key for key in keys]
    _show(project, kind, keys, admin, f"Example {clip.name} changed")
    return changed


@transaction.atomic
def move_example(*, example: GuidelineExample, up: bool, admin: User) -> None:
    """Swap the example with the one before or after it; nothing happens at the end."""
    project, kind = Project.objects.lock(example.project_id), example.kind
    keys = shown_keys(project, kind)
    _refuse_gone(example, keys)
    order = moved(keys, example.pk, up=up)
    if order != keys:
        _show(project, kind, order, admin, f"Example {example.clip.name} moved")


@transaction.atomic
def remove_example(*, example: GuidelineExample, admin: User) -> GuidelineVersion:
    """Remove the example and return the version that still has it, so that it can be restored."""
    project, kind = Project.objects.lock(example.project_id), example.kind
    keys = shown_keys(project, kind)
    _refuse_gone(example, keys)
    versions = GuidelineVersion.objects.filter(project=project, kind=kind)
    before = versions.order_by("-number").first()
    assert before is not None  # it shows the example
    keys.remove(example.pk)
    _show(project, kind, keys, admin, f"Example {example.clip.name} removed")
    return before


@transaction.atomic
def restore_examples(*, version: GuidelineVersion, admin: User) -> None:
    """Restore the examples of an earlier version; the text stays unchanged.

    Raises AnnotateError if somebody now works on the clip of one.
    """
    project = Project.objects.lock(version.project_id)
    change = f"Examples of version {version.number} restored"
    _show(project, version.kind, version.examples, admin, change)


def _store(
    project: Project,
    kind: str,
    clip: Clip,
    parts: Parts,
    is_good: bool,
    comment: str,
    admin: User,
) -> GuidelineExample:
    parts = [(heading, text.strip()) for heading, text in parts if text.strip()]
    if not parts:
        raise AnnotateError("Write the result of this work for the clip.")
    if not comment.strip():
        raise AnnotateError("Say what is good or bad about it.")
    return GuidelineExample.objects.create(
        project=project,
        kind=kind,
        clip=clip,
        parts=parts,
        is_good=is_good,
        comment=comment.strip(),
        written_by=admin,
    )


def _show(project: Project, kind: str, keys: Sequence[int], admin: User, change: str) -> None:
    """Let the guideline show exactly these examples. Raises AnnotateError."""
    if len(keys) > MAX_EXAMPLES:
        raise AnnotateError(
            f"A guideline has at most {MAX_EXAMPLES} examples. Remove one before you add another."
        )
    examples = GuidelineExample.objects.select_related("clip").in_bulk(keys)
    keys = [key for key in keys if key in examples]  # without clips that were deleted since
    clips = [examples[key].clip_id for key in keys]
    if len(set(clips)) < len(clips):
        raise AnnotateError("This clip is an example already. Change that one.")
    shown_examples = ShownExample.objects.filter(project=project, kind=kind)
    new = set(clips) - set(shown_examples.values_list("clip", flat=True))
    _refuse_work_in_hand(kind, new)
    shown_examples.delete()
    ShownExample.objects.bulk_create(
        ShownExample(
            project=project, kind=kind, clip=examples[key].clip, example=examples[key], place=place
        )
        for place, key in enumerate(keys)
    )
    version = record_version(
        project=project, kind=kind, admin=admin, change=change[:200], examples=keys
    )
    record_event(
        actor=admin,
        verb="change examples",
        subject=version,
        project=project,
        after={"kind": kind, "change": version.change, "examples": list(keys)},
    )


def _refuse_work_in_hand(kind: str, clips: set[int]) -> None:
    """Raise AnnotateError if somebody is doing this work on one of the clips, since they would read
    the result."""
    holds = Assignment.objects.filter(item__kind=kind, item__clip__in=clips, state__in=AT_WORK)
    hold = holds.select_related("annotator", "item__clip").first()
    if hold is not None:
        raise AnnotateError(
            f"{hold.annotator} is working on {hold.item.clip.name} now and would read the result. "
            "Wait until they have submitted it, or choose another clip."
        )


def _refuse_gone(example: GuidelineExample, keys: Sequence[int]) -> None:
    if example.pk not in keys:
        raise AnnotateError("This example was changed or removed meanwhile. Nothing was changed.")
