"""Answers in long form as arrays, where a person may answer about a unit more than once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from metrics.agreement.labels import Codes, Label, numbered
from metrics.intervals import Array


@dataclass(frozen=True)
class Patterns:
    """`first`: the place of the first unit of each pattern, rising; `counts`: how many have it."""

    first: Codes
    counts: Array


@dataclass(frozen=True)
class Answers:
    """Answers sorted by unit. `raters` and `units` are in the order of their first answer.

    `unit_of`, `rater_of`, `code_of`: (n,), the indices of each answer's unit, rater and label on
    the scale. `starts`: (n_units,), where the answers of each unit begin.
    """

    raters: tuple[Hashable, ...]
    units: tuple[Hashable, ...]
    unit_of: Codes
    rater_of: Codes
    code_of: Codes
    starts: Codes
    n_labels: int

    def __len__(self) -> int:
        return len(self.unit_of)

    @property
    def counts(self) -> Array:
        """(n_units, n_labels): how often each unit was given each label."""
        cells = self.unit_of * self.n_labels + self.code_of
        size = len(self.units) * self.n_labels
        counts = np.bincount(cells, minlength=size).reshape(len(self.units), self.n_labels)
        return np.asarray(counts, dtype=float)

    def per_unit(self, values: Array) -> Array:
        """Return (n_units, ...): the sum of `values`, (n, ...), over the answers of each unit."""
        sums: Array = np.add.reduceat(values, self.starts, axis=0)
        return sums

    @cached_property
    def patterns(self) -> Patterns:
        """Units with the same answers of the same people, which a model can't tell apart."""
        cells = self.rater_of * self.n_labels + self.code_of
        in_order = cells[np.lexsort((cells, self.unit_of))].tobytes()
        places = (*(self.starts * cells.itemsize).tolist(), len(in_order))
        seen: dict[bytes, int] = {}
        of_unit = [
            seen.setdefault(in_order[start:end], len(seen)) for start, end in pairwise(places)
        ]
        _, first, counts = np.unique(of_unit, return_index=True, return_counts=True)
        return Patterns(np.asarray(first), np.asarray(counts, dtype=float))

    def only(self, units: Codes) -> Answers:
        """Return the answers about these units, given by their place, in rising order."""
        sizes = np.diff(np.append(self.starts, len(self)))[units]
        unit_of = np.repeat(np.arange(len(units)), sizes)
        starts = np.cumsum(sizes) - sizes
        kept = np.arange(len(unit_of)) + np.repeat(self.starts[units] - starts, sizes)
        return replace(
            self,
            units=tuple(self.units[unit] for unit in units),
            unit_of=unit_of,
            rater_of=self.rater_of[kept],
            code_of=self.code_of[kept],
            starts=starts,
        )

    def per_rater(self, values: Array) -> Array:
        """Return (n_raters,): the sum of `values`, (n,), over the answers of each rater."""
        return np.asarray(np.bincount(self.rater_of, values, len(self.raters)), dtype=float)


def read_answers(
    labels: Sequence[Label], scale: Sequence[Hashable], *, least_per_unit: int = 1
) -> Answers:
    """Read (rater, unit, label) rows. Units with fewer than `least_per_unit` answers are left out,
    but their raters are not. Raises ValueError for a label that is not on the scale, a scale that
    names a label twice or has fewer than two.
    """
    codes = {label: code for code, label in enumerate(scale)}
    if len(codes) != len(scale):
        raise ValueError("the scale names a label twice")
    if len(scale) < 2:
        raise ValueError("a scale has at least two labels")
    given = [label for _, _, label in labels]
    for label in dict.fromkeys(given):
        if label not in codes:
            on_it = ", ".join(map(repr, scale))
            raise ValueError(f"{label!r} is not on the scale; choose from {on_it}")
    raters, rater_of = numbered([rater for rater, _, _ in labels])
    units, unit_of = numbered([unit for _, unit, _ in labels])
    code_of = np.fromiter(map(codes.__getitem__, given), np.int64, len(given))
    sizes = np.bincount(unit_of, minlength=len(units))
    order = np.argsort(unit_of, kind="stable")
    order = order[sizes[unit_of[order]] >= least_per_unit]
    kept, unit_of, sizes = np.unique(unit_of[order], return_inverse=True, return_counts=True)
    return Answers(
        raters=raters,
        units=tuple(units[place] for place in kept),
        unit_of=np.asarray(unit_of, dtype=np.int64),
        rater_of=rater_of[order],
        code_of=code_of[order],
        starts=np.asarray(np.cumsum(sizes) - sizes, dtype=np.int64),
        n_labels=len(scale),
    )


def normalized(logarithms: Array) -> Array:
    """Return the rows of `logarithms` as probabilities that add up to 1."""
    shares = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    total: Array = shares / shares.sum(axis=1, keepdims=True)
    return total
