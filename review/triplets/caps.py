"""Which train triplets a set takes, so that no direction outweighs the others. Pure.

A direction is a modification: from one label to another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

MAXIMUM = 10


@dataclass(frozen=True)
class Caps:
    """The most triplets of the train split: of a query, of a direction, in all. 0: no limit."""

    per_query: int = 0
    per_direction: int = 0
    triplets: int = 0

    def of_queries(self, targets: Iterable[int]) -> int:
        """Return the number of triplets of queries with these numbers of possible targets."""
        return sum(min(number, self.per_query or number) for number in targets)

    def of_directions(self, possible: Mapping[int, int]) -> dict[int, int]:
        return {key: min(n, self.per_direction or n) for key, n in possible.items()}


def balance(possible: Mapping[int, int], size: int, seed: int) -> dict[int, int]:
    """Share `size` triplets (0: all) among directions with these numbers of possible triplets.

    All get the same number, as far as they have as many: small directions are used up, large ones
    cut to one level. The remainder, less than one triplet for each large direction, goes to
    directions drawn by the seed.
    """
    if not size or sum(possible.values()) <= size:
        return dict(possible)
    level = _level(sorted(possible.values()), size)
    kept = {key: min(number, level) for key, number in possible.items()}
    larger = sorted(key for key, number in possible.items() if number > level)
    for key in Random(f"size {seed}").sample(larger, size - sum(kept.values())):
        kept[key] += 1
    return kept


def _level(rising: Sequence[int], size: int) -> int:
    """Return the highest level at which the sum of the numbers, cut to it, is at most `size`, which
    is smaller than their own sum.
    """
    place = 0
    while rising[place] * (len(rising) - place) <= size:
        size -= rising[place]
        place += 1
    return size // (len(rising) - place)


def draw_triplets(
    queries: Sequence[tuple[int, Sequence[int]]], number: int, per_query: int, chance: Random
) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield queries (clip, possible targets) with `number` targets in all, each with at most
    `per_query` (0: any number), all equally likely. Queries that get none are left out.
    """
    limited = [
        (clip, chance.sample(targets, per_query) if 0 < per_query < len(targets) else targets)
        for clip, targets in queries
    ]
    total = sum(len(targets) for _, targets in limited)
    if number >= total:
        yield from limited
        return
    drawn = iter(sorted(chance.sample(range(total), number)))
    place = next(drawn, total)
    start = 0
    for clip, targets in limited:
        chosen = []
        while place < start + len(targets):
            chosen.append(targets[place - start])
            place = next(drawn, total)
        start += len(targets)
        if chosen:
            yield clip, chosen


def share_of_largest(numbers: Collection[int]) -> float | None:
    """Return the share of all triplets that the MAXIMUM directions have; None without any."""
    total = sum(numbers)
    return sum(sorted(numbers, reverse=True)[:MAXIMUM]) / total if total else None
