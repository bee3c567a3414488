"""The write-ups of a clip, and the machine caption that may help with one."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.models import Assignment, Caption, Clip
from annotate.text.merging import NO_TEXT, WriteUpText


def write_ups(clip: Clip) -> list[Caption]:
    """Return the latest Stage-I caption of each writer of the clip, in the order of their claims.

    Writers whose place was given to somebody else don't count.
    """
    captions = (
        Caption.objects.filter(clip=clip, kind=Caption.Kind.GENERAL, source=Caption.Source.HUMAN)
        .exclude(assignment__state=Assignment.State.SKIPPED)
        .exclude(assignment__item__kind="hand")
        .select_related("assignment")
    )
    latest = {caption.assignment_id or 0: caption for caption in captions.order_by("id")}
    return [latest[key] for key in sorted(latest)]


def texts_of(captions: Sequence[Caption]) -> tuple[WriteUpText, WriteUpText]:
    """Return the texts of the first two write-ups, empty if there are fewer."""
    texts = [WriteUpText(caption.parts, caption.spans) for caption in captions[:2]]
    a, b = (*texts, NO_TEXT, NO_TEXT)[:2]
    return a, b


def rewritten_from(captions: list[Caption]) -> dict[int, Caption]:
    """Return the earlier text of each rewritten write-up, by key, until it has been merged."""
    merged = Caption.objects.filter(
        pk__in=[caption.pk for caption in captions], children__source=Caption.Source.MERGED
    )
    earlier = Caption.objects.filter(children__in=captions).exclude(children__in=merged)
    by_assignment = {caption.assignment_id: caption for caption in earlier.order_by("id")}
    return {
        caption.pk: by_assignment[caption.assignment_id]
        for caption in captions
        if caption.assignment_id in by_assignment
    }


def machine_draft(clip: Clip) -> Caption | None:
    """Return the newest caption of the clip by a model."""
    return (
        Caption.objects.filter(clip=clip, kind=Caption.Kind.GENERAL, source=Caption.Source.MACHINE)
        .order_by("-id")
        .first()
    )


def opened_machine_draft(clip_id: int, caption_id: str) -> Caption | None:
    """Return the clip's machine caption with this key, which is any text from a draft."""
    return _general_caption(clip_id, caption_id, Caption.Source.MACHINE)


def _general_caption(clip_id: int, caption_id: str, source: str) -> Caption | None:
    if not (caption_id.isascii() and caption_id.isdigit() and len(caption_id) < 19):
        return None
    return Caption.objects.filter(
        pk=caption_id, clip=clip_id, kind=Caption.Kind.GENERAL, source=source
    ).first()
