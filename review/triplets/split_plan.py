"""Assign source videos to splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from annotate.models import Video

Split = Video.Split


@dataclass(frozen=True)
class Source:
    """A long video: the keys of its files, which stay together, and its clips per label."""

    name: str
    videos: tuple[int, ...]
    labels: Counter[int]

    @property
    def clips(self) -> int:
        return self.labels.total()


@dataclass(frozen=True)
class Shares:
    """Percentages of the clips, which add up to 100."""

    train: int
    validation: int
    test: int


def plan_splits(
    sources: Sequence[Source], shares: Shares, seed: int, min_sources: int = 1
) -> dict[str, Split]:
    """Return the split of every source by name, independent of the order of `sources`.

    Test is filled first, then validation, and the rest is train. Each step considers the sources
    that bring the split nearer to its share, and takes the one that adds the most new labels
    without removing them from the remaining sources; the seed breaks ties. A split with a share
    gets `min_sources` even if none fits; there must be enough for all.
    """
    left = sorted(sources, key=lambda source: source.name)
    Random(f"splits {seed}").shuffle(left)
    total = sum(source.clips for source in left)
    planned: dict[str, Split] = {}
    for split, share, keep in (
        (Split.TEST, shares.test, 2 if shares.validation else 1),
        (Split.VALIDATION, shares.validation, 1),
    ):
        for source in _fill(left, total * share / 100, keep * min_sources, min_sources):
            planned[source.name] = split
            left.remove(source)
    return planned | {source.name: Split.TRAIN for source in left}


def _fill(left: Sequence[Source], wanted: float, keep: int, least: int) -> list[Source]:
    """Return the sources to take, at least `least`; at least `keep` remain."""
    taken: list[Source] = []
    free = list(left)
    sources_of = Counter(label for source in left for label in source.labels)
    covered: set[int] = set()
    clips = 0

    def gain(source: Source) -> int:
        return sum(
            -1 if sources_of[label] == 1 else label not in covered for label in source.labels
        )

    while wanted and len(free) > keep:
        fitting = [source for source in free if clips + source.clips / 2 <= wanted]
        if not fitting and len(taken) >= least:
            break
        best = max(fitting or free, key=gain)
        taken.append(best)
        free.remove(best)
        clips += best.clips
        covered |= set(best.labels)
        sources_of.subtract(best.labels.keys())
    return taken
