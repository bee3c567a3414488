"""A writer's view of their texts: a summary, the list, and one text with its differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Caption, Membership
from annotate.text.conflicts import Conflict
from annotate.text.diff import word_diff
from review.coach.comparing import Category, Comparison, Fate, summarize
from review.coach.kept import comparisons_of
from review.coach.queries import MOST_TEXTS, OwnText, own_texts
from review.quality.queries import Accuracy

# Below it, a share says little about how a person writes.
FEW_TEXTS = 10
NAMES = {
    Category.NUMBER: "Numbers and counts",
    Category.SIDE: "Left and right, top and bottom",
    Category.COLOR: "Colors",
    Category.CAMERA: "The camera",
}
CONFLICTS = {"number": "Numbers", "colour": "Colors", "side": "Sides", "order": "Order of events"}


@dataclass(frozen=True)
class TextRow:
    """One of the writer's texts as the list shows it."""

    own: Caption
    final: Caption
    comparison: Comparison

    @property
    def kept(self) -> int:
        return self.comparison.count(Fate.KEPT)

    @property
    def edited(self) -> int:
        return self.comparison.count(Fate.EDITED)

    @property
    def left_out(self) -> int:
        return self.comparison.count(Fate.LEFT_OUT)


def texts_context(membership: Membership) -> dict[str, Any]:
    rows = _rows(own_texts(membership))
    summary = summarize([row.comparison for row in rows])
    return {
        "membership": membership,
        "project": membership.project,
        "rows": rows,
        "texts": summary.texts,
        "is_few": summary.texts < FEW_TEXTS,
        "few": FEW_TEXTS,
        "most": MOST_TEXTS,
        "fates": [(fate, Accuracy(n, summary.sentences)) for fate, n in summary.fates.items()],
        "contradictions": [(CONFLICTS[kind], n) for kind, n in summary.contradictions.items()],
        "missing": [(NAMES[key], Accuracy(*counts)) for key, counts in summary.missing.items()],
    }


def text_context(membership: Membership, text: OwnText) -> dict[str, Any]:
    [row] = _rows([text])
    return {
        "membership": membership,
        "project": membership.project,
        "row": row,
        "clip": row.own.clip,
        "lines": [word_diff(own, final) for own, final in row.comparison.lines],
        "contradictions": _named(row.comparison.contradictions),
        "missing": [
            (NAMES[category], missing.phrases)
            for category, missing in row.comparison.missing.items()
            if missing.phrases
        ],
    }


def _rows(texts: Sequence[OwnText]) -> list[TextRow]:
    comparisons = comparisons_of(texts)
    return [
        TextRow(text.own, text.final, comparison)
        for text, comparison in zip(texts, comparisons, strict=True)
    ]


def _named(conflicts: tuple[Conflict, ...]) -> list[tuple[str, Conflict]]:
    return [(CONFLICTS[conflict.kind], conflict) for conflict in conflicts]
