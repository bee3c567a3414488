"""What came of one clip: the shape of `CapstItem.results`, and what the metric makes of it.

    {"events": {"reference": <list>, "predicted": <list>}, "objects": the same}

A <list> has `extraction` (its key, None where none could be made), `elements`, `judged` (a
[relationship, reason] an element, None where there is no usable answer) and `failure` (why).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from inference.backends.protocols import ElementKind
from metrics.capst import Judged, Sample

KINDS: tuple[ElementKind, ...] = ("events", "objects")
SIDES = ("reference", "predicted")


class JudgedList(TypedDict):
    extraction: int | None
    elements: list[str] | None
    judged: list[tuple[str, str]] | None
    failure: str


Results = Mapping[str, Mapping[str, JudgedList]]


def sample_of(clip: int, category: str, results: Results) -> Sample:
    return Sample(clip, category, *(_judged(results.get(kind, {})) for kind in KINDS))


def _judged(sides: Mapping[str, JudgedList]) -> Judged:
    return Judged(*(relationships(sides.get(side)) for side in SIDES))


def relationships(one: JudgedList | None) -> Sequence[str] | None:
    """Those of a list's elements; None where there is no usable answer."""
    if one is None or one["judged"] is None:
        return None
    return [relationship for relationship, _ in one["judged"]]


def failures(results: Mapping[str, Any]) -> list[str]:
    """Which of the lists have no usable answer, and why."""
    return [
        f"{kind.capitalize()} of the {'human caption' if side == 'reference' else 'prediction'}: "
        f"{one['failure']}"
        for kind in KINDS
        for side, one in results.get(kind, {}).items()
        if one["failure"]
    ]
