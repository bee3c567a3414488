"""Labels in long form, and the arrays that the measures work on."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.intervals import Array

Codes = NDArray[np.int64]
Label = tuple[Hashable, Hashable, Hashable]


@dataclass(frozen=True)
class LabelTable:
    """The labels of all units with two or more raters, sorted by unit.

    `unit_of`, `rater_of`, `code_of`: (n_labels,), indices from 0. `sizes`: (n_units,), labels per
    unit, at least 2. `values`: (n_categories,), the increasing numbers of the codes, scaled to -1
    to 1, which changes no measure. `reason`: why nothing can be compared, or "".
    """

    unit_of: Codes
    rater_of: Codes
    code_of: Codes
    sizes: Codes
    values: Array
    n_raters: int
    reason: str

    @property
    def n_units(self) -> int:
        return len(self.sizes)

    @property
    def n_labels(self) -> int:
        return len(self.code_of)

    @property
    def n_pairs(self) -> int:
        return int((self.sizes * (self.sizes - 1) // 2).sum())


def read_labels(
    labels: Sequence[Label], scale: Sequence[Hashable] | None, *, ordered: bool
) -> LabelTable:
    """Read labels in long form.

    `scale`: all possible labels in increasing order; neighbors are one step apart. Without a scale,
    `ordered` labels must be finite numbers and are used as they are. Raises ValueError for a label
    that is not on the scale, not a finite number, None or NaN; for two labels of one rater for one
    unit; and for a scale with repeated labels.
    """
    rows = list(labels)
    given = [label for _, _, label in rows]
    if any(label is None or label != label for label in set(given)):
        rater, unit, _ = next(row for row in rows if row[2] is None or row[2] != row[2])
        raise ValueError(f"{rater!r} has no label for {unit!r}: leave a missing one out")
    raters, rater_of = numbered([rater for rater, _, _ in rows])
    _, unit_of = numbered([unit for _, unit, _ in rows])
    if len(np.unique(unit_of * len(raters) + rater_of)) < len(rows):
        rater, unit = _first_repeated(rows)
        raise ValueError(f"{rater!r} labeled {unit!r} twice; give one label")
    codes, values = _coded(given, scale, ordered)
    shared = np.bincount(unit_of)[unit_of] > 1
    order = np.argsort(unit_of[shared], kind="stable")
    who, rater_of = np.unique(rater_of[shared][order], return_inverse=True)
    _, unit_of, sizes = np.unique(unit_of[shared][order], return_inverse=True, return_counts=True)
    return LabelTable(
        unit_of=unit_of,
        rater_of=rater_of,
        code_of=codes[shared][order],
        sizes=sizes,
        values=values,
        n_raters=len(who),
        reason=_nothing_to_compare(len(raters), len(sizes)),
    )


def numbered(values: Sequence[Hashable]) -> tuple[tuple[Hashable, ...], Codes]:
    """Return the distinct values in the order of their first place, and the number of each value
    among them."""
    place = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return tuple(place), np.fromiter(map(place.__getitem__, values), np.int64, len(values))


def _first_repeated(rows: Sequence[Label]) -> tuple[Hashable, Hashable]:
    seen: set[tuple[Hashable, Hashable]] = set()
    for rater, unit, _ in rows:
        if (rater, unit) in seen:
            break
        seen.add((rater, unit))
    return rater, unit


def _coded(
    labels: Sequence[Hashable], scale: Sequence[Hashable] | None, ordered: bool
) -> tuple[Codes, Array]:
    distinct = list(dict.fromkeys(labels))
    if scale is not None:
        categories: list[Any] = list(scale)
        on_scale = set(categories)
        if len(on_scale) != len(categories):
            raise ValueError("the scale names a label twice")
        for label in distinct:
            if label not in on_scale:
                on_it = ", ".join(map(repr, categories))
                raise ValueError(f"{label!r} is not on the scale; choose from {on_it}")
        numbers = np.arange(len(categories), dtype=float)
    elif ordered:
        for label in distinct:
            if not isinstance(label, Real) or isinstance(label, bool) or not isfinite(label):
                raise ValueError(f"{label!r} is not a number: give the scale of the labels")
        categories = sorted(distinct)
        numbers = np.array(categories, dtype=float)
    else:
        categories = distinct
        numbers = np.arange(len(categories), dtype=float)
    place = {label: number for number, label in enumerate(categories)}
    codes = np.fromiter(map(place.__getitem__, labels), np.int64, len(labels))
    return codes, _from_minus_1_to_1(numbers)


def _from_minus_1_to_1(numbers: Array) -> Array:
    # The squares of very large or very small numbers would overflow or underflow.
    if not len(numbers) or numbers[0] == numbers[-1]:
        return np.zeros(len(numbers))
    centered: Array = numbers - (numbers[0] / 2 + numbers[-1] / 2)
    scaled: Array = centered / np.abs(centered).max()
    return scaled


def _nothing_to_compare(n_raters: int, n_shared: int) -> str:
    if not n_raters:
        return "There are no labels yet."
    if n_raters == 1:
        return "Only one person has labeled; agreement takes two."
    if not n_shared:
        return "No two people have labeled the same thing."
    return ""
