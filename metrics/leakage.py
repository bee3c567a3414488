"""Object leakage: objects named in temporal captions (CaReBench, appendix E).

A temporal caption should describe actions without static detail. The paper extracts the objects of
both captions of a clip with a language model and gives their means: 10.76 in spatial captions, 6.82
in temporal ones, a ratio of 0.63. A high count alone isn't an error, because a temporal caption
must say who acts on what. It points to captions that are worth checking.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import inf
from reprlib import repr as brief
from statistics import fmean, stdev

import numpy as np

from metrics.intervals import Array, percentile_interval, resampled

VERSION = 1
QUANTILES = (0, 0.25, 0.5, 0.75, 1)


@dataclass(frozen=True)
class ObjectCounts:
    """Number of objects in each of a clip's two captions; None if unknown, because there is no such
    caption or the extraction failed.
    """

    clip: Hashable
    spatial: int | None
    temporal: int | None


@dataclass(frozen=True)
class Spread:
    """Objects per caption, over the `n` captions whose number is known. `sd`: with n - 1.
    `quantiles`: at QUANTILES, by linear interpolation. Without captions they are None or empty, as
    is `sd` with one.
    """

    n: int
    n_unknown: int
    total: int
    mean: float | None
    sd: float | None
    quantiles: tuple[float, ...]


@dataclass(frozen=True)
class ClipLeakage:
    """`ratio`: temporal / spatial; None if the latter is 0 or unknown."""

    clip: Hashable
    spatial: int | None
    temporal: int
    ratio: float | None


@dataclass(frozen=True)
class Leakage:
    """Objects in spatial and in temporal captions, each over all clips where the number is known.

    The other fields are over the `n_both` clips where both are known. `ratio`: objects in all
    temporal captions / in all spatial captions, with its 95 % interval over clips; if None,
    `reason` says why. `n_no_fewer`: clips whose temporal caption has at least one object and no
    fewer than the spatial one. `most`: the clips with the most objects in the temporal caption,
    whether or not the spatial number is known; ties go to fewer objects in the spatial caption,
    then to the order of the input.
    """

    spatial: Spread
    temporal: Spread
    ratio: float | None
    low: float | None
    high: float | None
    reason: str
    n_clips: int
    n_both: int
    n_no_fewer: int
    most: tuple[ClipLeakage, ...]
    n_bootstrap: int
    seed: int
    version: int = VERSION


def leakage(
    counts: Sequence[ObjectCounts], n_most: int = 10, *, n_bootstrap: int = 1000, seed: int = 0
) -> Leakage:
    """Summarize the objects in the captions of each clip, and list the `n_most` clips with the
    most.

    Raises ValueError for a repeated clip, for counts that are not whole numbers from 0, and for a
    negative `n_most` or `n_bootstrap`.
    """
    if n_most < 0:
        raise ValueError(f"n_most is {n_most}; it can't be negative")
    _check(counts)
    pairs = [
        (count.spatial, count.temporal)
        for count in counts
        if count.spatial is not None and count.temporal is not None
    ]
    ratio, low, high, reason = _ratio(pairs, n_bootstrap, seed)
    return Leakage(
        spatial=_spread([count.spatial for count in counts]),
        temporal=_spread([count.temporal for count in counts]),
        ratio=ratio,
        low=low,
        high=high,
        reason=reason,
        n_clips=len(counts),
        n_both=len(pairs),
        n_no_fewer=sum(0 < temporal >= spatial for spatial, temporal in pairs),
        most=_most(counts)[:n_most],
        n_bootstrap=n_bootstrap,
        seed=seed,
    )


def _check(counts: Sequence[ObjectCounts]) -> None:
    seen = set()
    for count in counts:
        if count.clip in seen:
            raise ValueError(f"clip {count.clip!r} comes twice; give its counts once")
        seen.add(count.clip)
        for value in (count.spatial, count.temporal):
            # True is an int too, but here it is a mistake.
            if value is not None and (type(value) is not int or value < 0):
                raise ValueError(
                    f"clip {count.clip!r}: {brief(value)} isn't a count of objects; give a "
                    "whole number from 0, or None"
                )


def _spread(values: Sequence[int | None]) -> Spread:
    numbers = [value for value in values if value is not None]
    return Spread(
        n=len(numbers),
        n_unknown=len(values) - len(numbers),
        total=sum(numbers),
        mean=fmean(numbers) if numbers else None,
        sd=stdev(numbers) if len(numbers) > 1 else None,
        quantiles=tuple(np.quantile(numbers, QUANTILES).tolist()) if numbers else (),
    )


def _ratio(
    pairs: Sequence[tuple[int, int]], n_bootstrap: int, seed: int
) -> tuple[float | None, float | None, float | None, str]:
    if not pairs:
        return None, None, None, "No clip has both numbers."
    # Sorted, so that the resamples of a seed don't depend on the order of the clips.
    spatial, temporal = np.array(sorted(pairs), dtype=float).T
    if not spatial.sum():
        return None, None, None, "No spatial caption has an object, and the ratio divides by them."

    def ratio(times: Array) -> Array:
        below = times @ spatial
        drawn: Array = (times @ temporal) / np.where(below == 0, np.nan, below)
        return drawn

    resamples = resampled(ratio, len(pairs), n_bootstrap, seed)
    low, high, reason = percentile_interval(resamples, len(pairs), n_bootstrap)
    return float(temporal.sum() / spatial.sum()), low, high, reason


def _most(counts: Sequence[ObjectCounts]) -> tuple[ClipLeakage, ...]:
    counted = [
        ClipLeakage(
            clip=count.clip,
            spatial=count.spatial,
            temporal=count.temporal,
            ratio=count.temporal / count.spatial if count.spatial else None,
        )
        for count in counts
        if count.temporal is not None
    ]
    return tuple(
        sorted(
            counted,
            key=lambda clip: (-clip.temporal, inf if clip.spatial is None else clip.spatial),
        )
    )
