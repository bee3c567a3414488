"""Recall at every K, with intervals (LoVR, Figure 5 and section 4.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.intervals import MIN_UNITS, PERCENTILES, draws

MAX_K = 50


@dataclass(frozen=True)
class RecallCurve:
    """`hits`: for K of 1, 2, …, how many of the `n_queries` have a rank of at most K. `low` and
    `high`: the 95 % percentile interval of each recall, 0 to 1, over resampled units; empty if
    `reason` says why the interval is missing.
    """

    hits: tuple[int, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    n_queries: int
    n_units: int
    n_bootstrap: int
    seed: int
    reason: str = ""


def recall_curve(
    ranks: ArrayLike,
    units: ArrayLike,
    n_gallery: int,
    *,
    max_k: int = MAX_K,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> RecallCurve:
    """Return recall at K from 1 to `max_k`, or to the size of the gallery if that is smaller.

    `ranks`: (n,), the rank of the first relevant item of each query, from 1. `units`: (n,), what
    the query belongs to, such as its source video: queries of one unit are alike, so units are
    resampled. Raises ValueError for unequal lengths, ranks below 1 or beyond the gallery, and
    max_k below 1.
    """
    places, of_units = np.asarray(ranks, dtype=np.int64), np.asarray(units)
    if places.ndim != 1 or places.shape != of_units.shape:
        raise ValueError(f"ranks have shape {places.shape} and units {of_units.shape}")
    if max_k < 1:
        raise ValueError(f"max_k is {max_k}; it is a whole number from 1")
    if len(places) and not 1 <= places.min() <= places.max() <= n_gallery:
        raise ValueError(f"ranks lie between 1 and the size of the gallery, {n_gallery}")
    width = min(max_k, n_gallery)
    names, codes = np.unique(of_units, return_inverse=True)
    hits = _hits_by_unit(places, codes, len(names), width)
    low, high, reason = _interval(hits, np.bincount(codes, minlength=1), n_bootstrap, seed)
    return RecallCurve(
        hits=tuple(hits.sum(axis=0).tolist()),
        low=low,
        high=high,
        n_queries=len(places),
        n_units=len(names),
        n_bootstrap=n_bootstrap,
        seed=seed,
        reason=reason,
    )


def _hits_by_unit(
    places: NDArray[np.int64], codes: NDArray[np.int64], n_units: int, width: int
) -> NDArray[np.int64]:
    """Return (n_units, width): the queries of each unit with a rank of at most 1, 2, … width."""
    counts = np.zeros((n_units, width), dtype=np.int64)
    near = places <= width
    np.add.at(counts, (codes[near], places[near] - 1), 1)
    return counts.cumsum(axis=1)


def _interval(
    hits: NDArray[np.int64], queries: NDArray[np.int64], n_bootstrap: int, seed: int
) -> tuple[tuple[float, ...], tuple[float, ...], str]:
    n_units, width = hits.shape
    if not n_units:
        return (), (), "There are no queries."
    if n_units < MIN_UNITS:
        return (), (), "One unit can't be resampled, so there is no interval."
    if not n_bootstrap:
        return (), (), "No resamples were asked for, so there is no interval."
    recalls = [
        times @ hits / (times @ queries)[:, None]
        for times in draws(n_units, n_bootstrap, seed, width)
    ]
    low, high = np.percentile(np.concatenate(recalls), PERCENTILES, axis=0)
    return tuple(low.tolist()), tuple(high.tolist()), ""
