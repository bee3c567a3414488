"""Names of work about two labels in lists: the keys of the labels."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.models import WorkItem
from review.pairs.models import LabelPair


def pair_names(items: Sequence[WorkItem]) -> dict[int, str]:
    """Return item -> its pair; items whose labels are gone are missing."""
    pairs = _pairs_of(items)
    return {item.pk: str(pairs[item.subject]) for item in items if item.subject in pairs}


def direction_names(items: Sequence[WorkItem]) -> dict[int, str]:
    """Return item -> its direction, from the label of its clip to the other; items whose clip no
    longer fits the pair are missing."""
    pairs = _pairs_of(items)
    names = {}
    for item in items:
        pair = pairs.get(item.subject)
        if pair and item.clip.label_id == pair.first_id:
            names[item.pk] = f"{pair.first.key} → {pair.second.key}"
        elif pair and item.clip.label_id == pair.second_id:
            names[item.pk] = f"{pair.second.key} → {pair.first.key}"
    return names


def _pairs_of(items: Sequence[WorkItem]) -> dict[int, LabelPair]:
    keys = {item.subject for item in items}
    return LabelPair.objects.select_related("first", "second").in_bulk(keys)
