"""Intervals of shares, and of numbers computed from resampled units."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PERCENTILES = (2.5, 97.5)
# With fewer defined resamples, an interval would describe an unusual part of them.
MIN_SHARE_DEFINED = 0.5
# All resamples of one unit are the same, and an interval without width would claim certainty.
MIN_UNITS = 2
# Numbers that a statistic can use at once, so that they fit in the processor's cache.
CELL_BATCH_SIZE = 250_000
# Up to so many codes, multiplying by a table of them is faster than counting.
FEW_CODES = 4


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float] | None:
    """Return Wilson's score interval (1927, without continuity correction) of successes / n.

    Returns (low, high), shares from 0 to 1; None for n = 0. Assumes n independent trials. Raises
    ValueError unless 0 <= successes <= n and 0 < confidence < 1.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is not a share: successes lie between 0 and n")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}; it lies between 0 and 1")
    if n == 0:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, extra = successes / n, z * z / n
    center = (share + extra / 2) / (1 + extra)
    half = z * sqrt(share * (1 - share) / n + extra / n / 4) / (1 + extra)
    low = 0.0 if successes == 0 else max(0.0, center - half)
    high = 1.0 if successes == n else min(1.0, center + half)
    return low, high


def resampled(
    statistic: Callable[[Array], Array], n_units: int, n_bootstrap: int, seed: int, width: int = 1
) -> Array:
    """Return the defined values of `statistic` over `n_bootstrap` resamples of the units.

    `statistic` takes how often each unit was drawn, (resamples, n_units), and returns one value per
    resample, NaN if undefined. `width`: how many numbers it holds per resample. Raises ValueError
    for a negative `n_bootstrap`.
    """
    if n_bootstrap < 0:
        raise ValueError(f"n_bootstrap is {n_bootstrap}; it can't be negative")
    drawn = draws(n_units, n_bootstrap, seed, width)
    values: Array = np.concatenate([np.empty(0), *(statistic(times) for times in drawn)])
    return values[~np.isnan(values)]


def draws(n_units: int, n_bootstrap: int, seed: int, width: int = 1) -> Iterator[Array]:
    """Yield how often each unit is drawn in each of `n_bootstrap` resamples, in blocks of shape
    (resamples, n_units). `width`: how many numbers the caller holds per resample.
    """
    at_once = max(1, CELL_BATCH_SIZE // max(width, n_units, 1))
    random = np.random.default_rng(seed)
    for start in range(0, n_bootstrap, at_once):
        rows = min(at_once, n_bootstrap - start)
        chosen = random.integers(0, n_units, (rows, n_units))
        # Counted all at once: one call for each resample takes longer than counting few units.
        places = chosen + np.arange(rows)[:, None] * n_units
        counts = np.bincount(places.ravel(), minlength=rows * n_units)
        yield counts.reshape(rows, n_units).astype(float)


def percentile_interval(
    values: Array, n_units: int, n_bootstrap: int
) -> tuple[float | None, float | None, str]:
    """Return low, high and "", the 2.5th and 97.5th percentile of values from `resampled`; or None,
    None and the reason why there is no interval.
    """
    if n_units < MIN_UNITS:
        return None, None, "One unit can't be resampled, so there is no interval."
    if not n_bootstrap:
        return None, None, "No resamples were asked for, so there is no interval."
    if len(values) < MIN_SHARE_DEFINED * n_bootstrap:
        few = f"Only {len(values)} of {n_bootstrap} resamples have a value"
        return None, None, f"{few}, too few for an interval."
    low, high = np.percentile(values, PERCENTILES)
    return float(low), float(high), ""


def ratio_interval(
    sums: Array, sizes: Array, n_bootstrap: int, seed: int
) -> tuple[float | None, float | None, str]:
    """Return the interval of sum(sums) / sum(sizes) as `percentile_interval` does, from resamples
    of the units. `sums`, `sizes`: (n_units,), sizes above 0. So numbers of one unit, such as the
    sentences of a caption, stay together.
    """

    def ratio(times: Array) -> Array:
        ratios: Array = (times @ sums) / (times @ sizes)
        return ratios

    values = resampled(ratio, len(sums), n_bootstrap, seed) if len(sums) else np.empty(0)
    return percentile_interval(values, len(sums), n_bootstrap)


def tally(weights: Array, codes: NDArray[np.int64], n_codes: int) -> Array:
    """Return (rows, n_codes): the sum of `weights` per code in each row. `weights`: (rows, n);
    `codes`: (n,), from 0 to below `n_codes`.
    """
    if n_codes <= FEW_CODES:
        of_codes = np.zeros((len(codes), n_codes))
        of_codes[np.arange(len(codes)), codes] = 1
        return np.asarray(weights @ of_codes)
    # Row by row: the counters of one row stay in the processor's cache.
    sums = [np.bincount(codes, row, minlength=n_codes) for row in weights]
    return np.array(sums, dtype=float).reshape(len(weights), n_codes)
