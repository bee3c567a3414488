"""What has been written about a clip, as far as somebody may see it."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.models import Assignment, Caption, Clip, Membership, Role, WorkItem

SEES_ALL = (Role.ADMIN, Role.EXPERT, Role.REVIEWER)


@dataclass(frozen=True)
class Text:
    """The latest caption of one step by one author, and the earlier ones that it replaced."""

    title: str
    latest: Caption
    earlier: list[Caption]


def sees_every_caption(membership: Membership, clip: Clip) -> bool:
    """Whether somebody may read what others wrote about the clip.

    Until the merge is submitted, whoever writes this clip, or could still take it to write, sees
    only their own text, whatever their other roles: the write-ups are to be independent.
    """
    merge = WorkItem.objects.filter(clip=clip, kind=WorkItem.Kind.MERGE)
    if merge.filter(state=WorkItem.State.DONE).exists():
        return True
    return membership.has_role(*SEES_ALL) and not _is_writer(membership, clip)


def caption_history(membership: Membership, clip: Clip) -> list[Text]:
    """The texts of the clip by step, each with its history, newest first."""
    captions = Caption.objects.filter(clip=clip).select_related("author").order_by("-id")
    if not sees_every_caption(membership, clip):
        captions = captions.filter(author_id=membership.user_id)
    steps: dict[tuple, list[Caption]] = {}
    for caption in captions:
        steps.setdefault(_step(caption), []).append(caption)
    return [
        Text(_TITLES[order], versions[0], versions[1:])
        for (order, _), versions in sorted(steps.items(), key=lambda step: step[0])
    ]


def _is_writer(membership: Membership, clip: Clip) -> bool:
    writing = WorkItem.objects.filter(clip=clip, kind=WorkItem.Kind.WRITE)
    could_take_it = (
        membership.is_annotator
        and writing.filter(state=WorkItem.State.OPEN, open_slots__gt=0).exists()
    )
    return (
        could_take_it
        or Assignment.objects.filter(item__in=writing, annotator_id=membership.user_id).exists()
    )


_TITLES = (
    "Write-up",
    "Merged text",
    "Spatial caption",
    "Temporal caption",
    "Full-video caption",
    "Machine caption",
    "Other text",
)


def _step(caption: Caption) -> tuple[int, int]:
    """(place among the steps, which author's): captions with the same one replace each other."""
    match caption.kind, caption.source:
        case Caption.Kind.GENERAL, Caption.Source.HUMAN:
            return 0, caption.assignment_id or 0
        case Caption.Kind.GENERAL, Caption.Source.MERGED:
            return 1, 0
        case Caption.Kind.SPATIAL, _:
            return 2, 0
        case Caption.Kind.TEMPORAL, _:
            return 3, 0
        case Caption.Kind.FULL_VIDEO, _:
            return 4, 0
        case _, Caption.Source.MACHINE:
            return 5, caption.provenance[0]["spec"] if caption.provenance else 0
    return 6, caption.pk
