"""Word counts of a release's captions, summed up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class WordStatistics:
    """Of one kind of caption, in words."""

    captions: int
    total: int
    least: int
    median: float
    most: int

    @property
    def mean(self) -> float:
        return self.total / self.captions


def sum_up(counts: Counter[int]) -> WordStatistics | None:
    """None where there is no caption."""
    captions = counts.total()
    if not captions:
        return None
    return WordStatistics(
        captions=captions,
        total=sum(words * times for words, times in counts.items()),
        least=min(counts),
        median=median(counts.elements()),
        most=max(counts),
    )
