"""Word statistics of captions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class WordStatistics:
    """Statistics of one kind of caption, in words."""

    captions: int
    total: int
    least: int
    median: float
    most: int

    @property
    def mean(self) -> float:
        return self.total / self.captions


def sum_up(counts: Counter[int]) -> WordStatistics | None:
    """Return the statistics, None without captions."""
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
