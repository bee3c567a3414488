"""Draw queries at random, spread over kinds of change, domains and labels."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)


def draw_stratified(
    rows: Sequence[tuple[tuple[Any, ...], Key]], number: int, seed: int
) -> list[Key]:
    """Draw `number` keys of rows (stratum, key), each with probability number / len(rows).

    Systematic sampling: the rows are sorted by stratum, at random within one, and taken at equal
    steps from a random start, so that each stratum has its share to within one row. All keys are
    drawn if `number` is at least the number of rows. The result is in random order, so that its
    first part is a sample, too.
    """
    chance = Random(f"sample {seed}")
    ordered = list(rows)
    chance.shuffle(ordered)
    ordered.sort(key=lambda row: row[0])
    if number < len(ordered):
        step = len(ordered) / number
        start = chance.random() * step
        last = len(ordered) - 1
        ordered = [ordered[min(last, int(start + place * step))] for place in range(number)]
    keys = [key for _, key in ordered]
    chance.shuffle(keys)
    return keys
