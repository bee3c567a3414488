"""Assign source videos to splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf
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
        for source in fill(left, total * share / 100, keep * min_sources, min_sources):
            planned[source.name] = split
        left = [source for source in left if source.name not in planned]
    return planned | {source.name: Split.TRAIN for source in left}


def fill(left: Sequence[Source], size: float, keep: int, least: int) -> list[Source]:
    """Return the sources to take, at least `least`; at least `keep` remain.

    A source's gain only falls as others are taken, so a source that is still first after its rank
    is recomputed is the best, without computing all others.
    """
    taken: list[Source] = []
    sources_of = Counter(label for source in left for label in source.labels)
    covered: set[int] = set()
    clips = 0

    def rank(place: int) -> tuple[int, int]:
        added = sum(
            -1 if sources_of[label] == 1 else label not in covered for label in left[place].labels
        )
        return -added, place

    queue, too_large = sorted(map(rank, range(len(left)))), list[int]()
    while size and len(left) - len(taken) > keep:
        if not queue:  # none fits anymore
            if len(taken) >= least:
                break
            queue, too_large = sorted(map(rank, too_large)), []
            size = inf
        place = heappop(queue)[1]
        source = left[place]
        if clips + source.clips / 2 > size:
            too_large.append(place)
        elif queue and rank(place) > queue[0]:
            heappush(queue, rank(place))
        else:
            taken.append(source)
            clips += source.clips
            covered |= source.labels.keys()
            sources_of.subtract(source.labels.keys())
            if size == inf and len(taken) >= least:
                break
    return taken
