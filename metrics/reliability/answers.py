"""Answers in long form as arrays, where a person may answer about a unit more than once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.agreement.labels import Codes, Label
from metrics.intervals import Array


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
    raters: dict[Hashable, int] = {}
    units: dict[Hashable, int] = {}
    rows = np.empty((len(labels), 3), dtype=np.int64)
    for place, (rater, unit, label) in enumerate(labels):
        if label not in codes:
            on_it = ", ".join(map(repr, scale))
            raise ValueError(f"{label!r} is not on the scale; choose from {on_it}")
        rows[place] = (
            units.setdefault(unit, len(units)),
            raters.setdefault(rater, len(raters)),
            codes[label],
        )
    sizes = np.bincount(rows[:, 0], minlength=len(units))
    rows = rows[sizes[rows[:, 0]] >= least_per_unit]
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    kept, unit_of, sizes = np.unique(rows[:, 0], return_inverse=True, return_counts=True)
    names = tuple(units)
    return Answers(
        raters=tuple(raters),
        units=tuple(names[place] for place in kept),
        unit_of=np.asarray(unit_of, dtype=np.int64),
        rater_of=rows[:, 1],
        code_of=rows[:, 2],
        starts=np.asarray(np.cumsum(sizes) - sizes, dtype=np.int64),
        n_labels=len(scale),
    )


def normalized(logarithms: Array) -> Array:
    """Return the rows of `logarithms` as probabilities that add up to 1."""
    shares = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    total: Array = shares / shares.sum(axis=1, keepdims=True)
    return total
