"""ReBias: how unevenly a model retrieves by spatial and by temporal captions (CaReBench, 3.4.1).

The paper's Equation 1 divides the temporal by the spatial mean recall, but the numbers of its Table
5 come from the inverse. This module has both, under separate names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.intervals import percentile_interval, resampled

VERSION = 2
N_RECALLS = 6

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rebias:
    """In percent, 0 where both recalls are equal. `equation1`: 100 |1 - temporal / spatial|.
    `table5`: 100 |1 - spatial / temporal|. Either is None if it would divide by 0, and `reason`
    says so. Means are in the unit of the input.
    """

    equation1: float | None
    table5: float | None
    reason: str
    spatial_mean: float
    temporal_mean: float
    spatial: tuple[float, ...]
    temporal: tuple[float, ...]
    version: int = VERSION


@dataclass(frozen=True)
class Interval:
    """A 95 % interval, in percent; None if undefined, and `reason` says why. `n_defined`: resamples
    with a value.
    """

    low: float | None
    high: float | None
    n_defined: int
    reason: str


@dataclass(frozen=True, eq=False)
class QueryHits:
    """One direction of retrieval. `hits`: (n_queries, n_ks), whether each query's rank is at most
    each K, so `ranks[:, None] <= ks`. `videos`: (n_queries,), the id of each query's video."""

    hits: ArrayLike
    videos: ArrayLike


@dataclass(frozen=True)
class RebiasBootstrap:
    """ReBias of all videos, with the intervals of both forms over resampled videos."""

    rebias: Rebias
    equation1: Interval
    table5: Interval
    n_videos: int
    n_bootstrap: int
    seed: int
    version: int = VERSION


def rebias(spatial: Sequence[float], temporal: Sequence[float]) -> Rebias:
    """Return ReBias from six recalls each: text-to-video and video-to-text at 1, 5 and 10, in any
    order.

    All in the same unit, shares or percent. Raises ValueError for another number of recalls, and
    for recalls that are negative, above 100 or not finite.
    """
    s, t = _checked(spatial, "spatial"), _checked(temporal, "temporal")
    spatial_mean, temporal_mean = float(s.mean()), float(t.mean())
    zero = [
        f"The mean {name} recall is 0, and {form} divides by it."
        for name, mean, form in (
            ("spatial", spatial_mean, "Equation 1"),
            ("temporal", temporal_mean, "Table 5's form"),
        )
        if not mean
    ]
    return Rebias(
        equation1=_deviation(temporal_mean, spatial_mean),
        table5=_deviation(spatial_mean, temporal_mean),
        reason=" ".join(zero),
        spatial_mean=spatial_mean,
        temporal_mean=temporal_mean,
        spatial=tuple(map(float, s)),
        temporal=tuple(map(float, t)),
    )


def bootstrap_rebias(
    spatial: Sequence[QueryHits],
    temporal: Sequence[QueryHits],
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> RebiasBootstrap:
    """Return ReBias with a 95 % interval over `n_bootstrap` resamples of videos.

    `spatial` and `temporal`: the directions, with six recalls together, usually text-to-video and
    video-to-text at three Ks each. A video is drawn with all its queries in all directions, because
    they are not independent. The galleries stay complete, so the rank of each query stays the same.

    The percentiles are taken of the signed deviation, and the interval is of their absolute values:
    it begins at 0 if the signs differ. Percentiles of absolute values would be above 0 even for a
    model without bias, and could exclude the model's own value.

    Raises ValueError as `rebias` does, without videos, and if `hits` is not one row of booleans per
    entry of `videos`.
    """
    directions = [_hits(direction) for direction in (*spatial, *temporal)]
    if not directions:
        raise ValueError("there are no hits: give the directions of retrieval")
    videos = np.unique(np.concatenate([ids for _, ids in directions]))
    hits, queries = _by_video(directions, videos)
    n_spatial = sum(own_hits.shape[1] for own_hits, _ in directions[: len(spatial)])
    recalls = hits.sum(axis=0) / queries.sum(axis=0)
    whole = rebias(recalls[:n_spatial].tolist(), recalls[n_spatial:].tolist())

    def means(times: Array) -> tuple[Array, Array]:
        # A resample may miss every query of a direction that few videos have: 0 / 0.
        drawn = (times @ hits) / (times @ queries)
        return drawn[:, :n_spatial].mean(axis=1), drawn[:, n_spatial:].mean(axis=1)

    def equation1(times: Array) -> Array:
        spatial_mean, temporal_mean = means(times)
        return _signed(temporal_mean, spatial_mean)

    n = len(videos)
    return RebiasBootstrap(
        rebias=whole,
        equation1=_interval(equation1, n, n_bootstrap, seed),
        table5=_interval(lambda times: _signed(*means(times)), n, n_bootstrap, seed),
        n_videos=n,
        n_bootstrap=n_bootstrap,
        seed=seed,
    )


def _deviation(upper: float, lower: float) -> float | None:
    return 100 * abs(1 - upper / lower) if lower else None


def _signed(upper: Array, lower: Array) -> Array:
    """Return the signed deviation; NaN if it would divide by 0."""
    ratio: Array = upper / np.where(lower == 0, np.nan, lower)
    return 100 * (1 - ratio)


def _checked(recalls: Sequence[float], name: str) -> Array:
    values = np.asarray(recalls, dtype=float)
    if values.shape != (N_RECALLS,):
        raise ValueError(f"{name} has shape {values.shape}: give {N_RECALLS} recalls")
    if not ((values >= 0) & (values <= 100)).all():
        raise ValueError(f"{name} recalls must be shares or percent, from 0 to 100")
    return values


def _hits(direction: QueryHits) -> tuple[Array, NDArray[np.generic]]:
    hits, videos = np.asarray(direction.hits), np.asarray(direction.videos)
    if hits.ndim != 2 or hits.dtype != bool or videos.shape != hits.shape[:1]:
        raise ValueError(
            f"hits have shape {hits.shape} and type {hits.dtype}, videos {videos.shape}: give a "
            "row of truth values and a video for every query"
        )
    if not len(hits):
        raise ValueError("a direction has no queries, so its recall is undefined")
    return hits.astype(float), videos


def _by_video(
    directions: Sequence[tuple[Array, NDArray[np.generic]]], videos: NDArray[np.generic]
) -> tuple[Array, Array]:
    """Return the hits and queries of each video, both (n_videos, n_recalls), so that a resample
    only adds rows.
    """
    hits, queries = [], []
    for own_hits, ids in directions:
        place = np.searchsorted(videos, ids)
        total = np.zeros((len(videos), own_hits.shape[1]))
        np.add.at(total, place, own_hits)
        n_queries = np.bincount(place, minlength=len(videos)).astype(float)
        hits.append(total)
        queries.append(np.repeat(n_queries[:, None], own_hits.shape[1], axis=1))
    return np.hstack(hits), np.hstack(queries)


def _interval(
    statistic: Callable[[Array], Array], n_videos: int, n_bootstrap: int, seed: int
) -> Interval:
    with np.errstate(invalid="ignore"):
        values = resampled(statistic, n_videos, n_bootstrap, seed)
    low, high, reason = percentile_interval(values, n_videos, n_bootstrap)
    if low is not None and high is not None:
        low, high = _sizes(low, high)
    return Interval(low, high, len(values), reason)


def _sizes(low: float, high: float) -> tuple[float, float]:
    """Return the smallest and the largest absolute value between `low` and `high`."""
    least, greatest = sorted((abs(low), abs(high)))
    return (0.0 if low < 0 < high else least), greatest
