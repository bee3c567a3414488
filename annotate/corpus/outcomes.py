"""What happened to the texts of finished work: merged, split, corrected, signed off, and outcomes
that later features register.

A text made from the person's text counts only if they can read it, so that work they judge blindly
stays hidden.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping

from django.db.models import Q

from annotate.corpus.blindness import visible_captions
from annotate.models import Caption, Membership, SignOff

# caption -> assignments whose texts it was made from
Texts = Mapping[int, set[int]]
# caption -> words for what happened to it
Fates = Mapping[int, str]

# From a write-up: the merged text, then its two halves.
STEPS = 2
_OF_SOURCE: dict[str, str] = {
    Caption.Source.MERGED: "Merged",
    Caption.Source.CORRECTED: "Corrected",
}
_READERS: list[Callable[[Collection[int]], Fates]] = []


def register_fates(read: Callable[[Collection[int]], Fates]) -> None:
    """Register how to read what a later feature did with captions. Call it in `AppConfig.ready`."""
    _READERS.append(read)


def text_outcomes(membership: Membership, assignments: Collection[int]) -> dict[int, list[str]]:
    """Return what happened to the texts of each assignment, in the order of the process."""
    own = Caption.objects.filter(assignment__in=assignments).order_by()
    newest = {pk: {assignment} for pk, assignment in own.values_list("pk", "assignment")}
    texts = dict(newest)
    outcomes: dict[int, dict[str, None]] = defaultdict(dict)  # in order, without repeats
    for _ in range(STEPS):
        newest = _made_of(membership, newest, outcomes)
        for pk, origins in newest.items():
            texts[pk] = texts.get(pk, set()) | origins
    for fates in (_signed_off(texts), *(read(texts) for read in _READERS)):
        for pk, words in sorted(fates.items()):
            for assignment in texts[pk]:
                outcomes[assignment][words] = None
    return {assignment: list(words) for assignment, words in outcomes.items()}


def _made_of(
    membership: Membership, texts: Texts, outcomes: dict[int, dict[str, None]]
) -> dict[int, set[int]]:
    """Record what was made from the texts; return the new texts with the assignments behind
    them.
    """
    children = visible_captions(membership, Caption.objects.filter(parents__in=texts))
    made: dict[int, set[int]] = {}
    for pk, parent, kind, source in children.order_by("pk").values_list(
        "pk", "parents", "kind", "source"
    ):
        words = _words_for(kind, source)
        if not words or parent not in texts:
            continue
        made[pk] = made.get(pk, set()) | texts[parent]
        for assignment in texts[parent]:
            outcomes[assignment][words] = None
    return made


def _words_for(kind: str, source: str) -> str:
    """Return the word for how a text uses its source text; "" if it doesn't."""
    if kind in (Caption.Kind.SPATIAL, Caption.Kind.TEMPORAL):
        return "Split"
    if kind == Caption.Kind.FULL_VIDEO:
        return "Part of the video’s caption"
    if kind != Caption.Kind.GENERAL:
        return ""
    return _OF_SOURCE.get(source, "")


def _signed_off(texts: Texts) -> dict[int, str]:
    rows = (
        SignOff.objects.filter(verdict=SignOff.Verdict.AGREE)
        .filter(
            Q(texts__general__in=texts) | Q(texts__spatial__in=texts) | Q(texts__temporal__in=texts)
        )
        .order_by()
        .values_list("texts__general", "texts__spatial", "texts__temporal")
    )
    signed = {pk for row in rows for pk in row if pk in texts}
    return dict.fromkeys(signed, "Signed off")
