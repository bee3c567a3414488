"""A clip's texts that a member can see."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.corpus.blindness import hidden_captions, visible_captions, waits_for_merge
from annotate.corpus.precedence import DESCRIBING, only_current, only_outdated
from annotate.models import Caption, CaptionRank, Clip, Membership

GENERAL, FULL_VIDEO = Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO
Because = CaptionRank.Because


@dataclass(frozen=True)
class Text:
    """The latest and earlier captions of one step by one author; `latest` is the current caption,
    if any.

    `is_current`: it is the clip's current caption, which runs use. `is_folded`: it was current
    before. `choosable`: keys of captions that an admin can make current. `late`: keys of captions
    submitted after their clip had another one. `not_better`: keys of refine attempts that scored no
    higher than the caption before them. `is_outdated`: the caption of the whole video was made from
    captions that have been replaced.
    """

    title: str
    latest: Caption
    earlier: list[Caption]
    is_current: bool = False
    is_folded: bool = False
    choosable: frozenset[int] = frozenset()
    late: frozenset[int] = frozenset()
    not_better: frozenset[int] = frozenset()
    is_outdated: bool = False


def sees_every_caption(membership: Membership, clip: Clip) -> bool:
    """Return whether the member may see all texts about the clip."""
    if waits_for_merge(membership, clip):
        return False
    return not hidden_captions(membership, Caption.objects.filter(clip=clip)).exists()


def caption_history(membership: Membership, clip: Clip) -> list[Text]:
    """Return the clip's texts by step, each with its history, newest first."""
    written = Caption.objects.filter(clip=clip)
    captions = list(
        written.select_related("author", "assignment__item", "given")
        .defer("assignment__draft", "assignment__watched", "assignment__item__context")
        .order_by("-id")
    )
    described = written.filter(kind__in=DESCRIBING)
    current = set(only_current(described).values_list("pk", flat=True))
    fused = described.filter(kind=FULL_VIDEO)
    outdated = set(only_outdated(fused).values_list("pk", flat=True))
    is_described = any(each.pk in current and each.kind == GENERAL for each in captions)
    visible = set(visible_captions(membership, written).values_list("pk", flat=True))
    captions = [each for each in captions if each.pk in visible]
    because = {each.pk: each.given.because for each in captions if hasattr(each, "given")}
    late = frozenset(key for key, reason in because.items() if reason == Because.LATE)
    not_better = frozenset(key for key, why in because.items() if why == Because.NOT_BETTER)
    choosable = frozenset(
        each.pk
        for each in captions
        if membership.is_admin
        and each.pk not in current
        and each.kind in DESCRIBING
        and because.get(each.pk) != Because.WRITE_UP
    )
    steps: dict[Step, list[Caption]] = {}
    # Put the current caption before later ones that never replaced it.
    for caption in sorted(captions, key=lambda each: each.pk not in current):
        steps.setdefault(_step(caption), []).append(caption)
    return [
        Text(
            title,
            versions[0],
            versions[1:],
            is_current=versions[0].pk in current,
            is_folded=is_described and versions[0].pk not in current and place == _WHOLE,
            choosable=choosable,
            late=late,
            not_better=not_better,
            is_outdated=versions[0].pk in outdated,
        )
        for (place, title, _), versions in sorted(
            steps.items(), key=lambda step: _in_order(step, current)
        )
    ]


def _is_write_up(caption: Caption) -> bool:
    by_hand = caption.assignment is not None and caption.assignment.item.kind == "hand"
    return (
        caption.kind == Caption.Kind.GENERAL
        and caption.source == Caption.Source.HUMAN
        and not by_hand
    )


# The place of texts that replace each other as the clip's caption.
_WHOLE = 5

Step = tuple[int, str, int]


def _step(caption: Caption) -> Step:
    """Return (place among the steps, title, author); captions with the same value replace each
    other.
    """
    if _is_write_up(caption):
        return 0, "Write-up", caption.assignment_id or 0
    match caption.kind, caption.source:
        case Caption.Kind.GENERAL, Caption.Source.MERGED:
            return 1, "Merged text", 0
        case Caption.Kind.GENERAL, Caption.Source.PUBLISHED:
            return 1, "Human caption of a published data set", 0
        case Caption.Kind.SPATIAL, _:
            return 2, "Spatial caption", 0
        case Caption.Kind.TEMPORAL, _:
            return 3, "Temporal caption", 0
        case Caption.Kind.FULL_VIDEO, _:
            return 4, "Full-video caption", 0
        case Caption.Kind.PREDICTION, _:
            return 6, "Prediction", caption.pk
        case Caption.Kind.PROPOSAL, _:
            return 6, "Correction proposed in a study", caption.pk
        case Caption.Kind.REFERENCE, _:
            return 6, "Further human caption of a published data set", caption.pk
        case _, Caption.Source.HUMAN:
            return _WHOLE, "Written by hand", 0
        case _, Caption.Source.CORRECTED:
            return _WHOLE, "Corrected caption", 0
        case _, Caption.Source.MACHINE:
            spec = caption.provenance[0].get("spec", 0) if caption.provenance else 0
            return _WHOLE, "Machine caption", spec
    return 6, "Other text", caption.pk


def _in_order(step: tuple[Step, list[Caption]], current: set[int]) -> tuple[int, bool, int]:
    """Sort by place; texts about the whole clip with the current one first, then the newest."""
    (place, _, author), versions = step
    if place != _WHOLE:
        return place, False, author
    return place, versions[0].pk not in current, -versions[0].pk
