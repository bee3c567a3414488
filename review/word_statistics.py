"""Word counts of a release's captions, summed up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True)
class WordStatistics:
    """Of one kind of caption. `median` is the lower one of the two in the middle."""

    captions: int
    total: int
    least: int
    median: int
    most: int

    @property
    def mean(self) -> float:
        return self.total / self.captions


def sum_up(counts: Counter[int]) -> WordStatistics | None:
    """None where there is no caption."""
    captions = counts.total()
    if not captions:
        return None
    passed, median = 0, 0
    for median in sorted(counts):
        passed += counts[median]
        if 2 * passed >= captions:
            break
    return WordStatistics(
        captions=captions,
        total=sum(words * times for words, times in counts.items()),
        least=min(counts),
        median=median,
        most=max(counts),
    )
