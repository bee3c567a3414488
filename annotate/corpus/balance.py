"""How the corpus is spread: clips per category, in CaReBench against the quota, and by length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Count, F, IntegerField, Max, QuerySet
from django.db.models.functions import Cast

from annotate.corpus.pieces import clips_in_benchmark
from annotate.corpus.queries import LENGTHS
from annotate.models import Clip, Project

BIN_SECONDS = (1, 2, 5, 10, 30, 60, 300, 900)
MAX_BINS = 40


@dataclass(frozen=True)
class Subcategory:
    """`verdict` is few, within or many, against the project's quota; empty without a quota."""

    name: str
    clips: int
    verdict: str


@dataclass(frozen=True)
class Category:
    name: str
    subcategories: list[Subcategory]

    @property
    def clips(self) -> int:
        return sum(subcategory.clips for subcategory in self.subcategories)


@dataclass(frozen=True)
class Bin:
    """Clips from `start` up to, not including, `end` seconds."""

    start: int
    end: int
    clips: int


@dataclass(frozen=True)
class Lengths:
    """The histogram, and how many of `total` clips are from 5 to 20 s long."""

    bins: list[Bin]
    total: int
    within: int

    @property
    def share(self) -> float | None:
        """Return the percentage within the band; None without clips."""
        return 100 * self.within / self.total if self.total else None


def spread_of(project: Project) -> tuple[list[Category], Lengths]:
    """Return the clips of the benchmark by category and by length, from one statement."""
    rows = _by_second(clips_in_benchmark(project), "video__category", "video__subcategory")
    counts = Counter[tuple[str, str]]()
    for category, subcategory, _, clips, _, _ in rows:
        counts[category, subcategory] += clips
    categories = [
        Category(
            category,
            [
                Subcategory(name, number, quota_verdict(project, number))
                for (_, name), number in pairs
            ],
        )
        for category, pairs in groupby(sorted(counts.items()), key=lambda pair: pair[0][0])
    ]
    return categories, _lengths([row[2:] for row in rows])


def clip_lengths(clips: QuerySet[Clip]) -> Lengths:
    return _lengths(_by_second(clips))


def bin_lengths(milliseconds: Iterable[int]) -> list[Bin]:
    """Return the histogram of lengths that are known already, in the bins of `clip_lengths`."""
    return _lengths([(length // 1000, 1, 0, length) for length in milliseconds]).bins


def _by_second(clips: QuerySet[Clip], *fields: str) -> list[tuple[Any, ...]]:
    """Return a row for each whole second of clip length: the fields, the second, the number of
    clips, how many of them are in the band, and the greatest length in milliseconds."""
    return list(
        clips.annotate(second=Cast(F("duration_ms") / 1000, IntegerField()))
        .order_by()
        .values_list(*fields, "second")
        .annotate(
            clips=Count("id"),
            within=Count("id", filter=LENGTHS["band"]),
            longest=Max("duration_ms"),
        )
    )


def _lengths(rows: list[tuple[Any, ...]]) -> Lengths:
    width = _bin_seconds(max((longest for *_, longest in rows), default=0))
    counts = Counter[int]()
    for second, clips, _, _ in rows:
        counts[second // width] += clips
    last = max(counts, default=-1)
    bins = [Bin(n * width, (n + 1) * width, counts[n]) for n in range(last + 1)]
    return Lengths(bins, counts.total(), sum(within for _, _, within, _ in rows))


def has_quota(project: Project) -> bool:
    return "quotas" in project.pipeline.keys


def quota_verdict(project: Project, clips: int) -> str:
    """Return few, within or many, for the clips of a subcategory; empty without a quota."""
    if not has_quota(project):
        return ""
    if clips < project.quota_min:
        return "few"
    return "within" if clips <= project.quota_max else "many"


def _bin_seconds(longest_ms: int) -> int:
    """Return the width of the finest bins that fit a chart."""
    fitting = (width for width in BIN_SECONDS if longest_ms / (width * 1000) < MAX_BINS)
    return next(fitting, longest_ms // (MAX_BINS * 1000) + 1)
