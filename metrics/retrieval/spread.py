"""How far a mean average precision can be trusted: over seeds, and over queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.intervals import percentile_interval, resampled

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PrecisionSpread:
    """`mean`: over runs and queries. `sd`: sample standard deviation of the runs' means, None for
    one run. `low`, `high`: 95 % percentile interval over resampled queries, each with its mean
    over the runs; None where `reason` says why."""

    mean: float | None
    sd: float | None
    low: float | None
    high: float | None
    n_runs: int
    n_queries: int
    n_bootstrap: int
    seed: int
    reason: str = ""


def precision_spread(
    average_precision: ArrayLike, *, n_bootstrap: int = 1000, seed: int = 0
) -> PrecisionSpread:
    """Return the spread of the mean of (runs, queries) average precisions at one K.

    The runs are those of one model with several seeds, all over the same queries. Raises ValueError
    for another shape, no run, or numbers that are not finite.
    """
    values = np.asarray(average_precision, dtype=np.float64)
    if values.ndim != 2 or not len(values):
        raise ValueError(f"average_precision has shape {values.shape}: give one row a run")
    if not np.isfinite(values).all():
        raise ValueError("average precisions must be finite numbers")
    n_runs, n_queries = values.shape
    if not n_queries:
        return PrecisionSpread(
            None, None, None, None, n_runs, 0, n_bootstrap, seed, "There are no queries."
        )
    per_query = values.mean(axis=0)

    def statistic(times: Array) -> Array:
        means: Array = times @ per_query / n_queries
        return means

    drawn = resampled(statistic, n_queries, n_bootstrap, seed)
    low, high, reason = percentile_interval(drawn, n_queries, n_bootstrap)
    sd = float(values.mean(axis=1).std(ddof=1)) if n_runs > 1 else None
    return PrecisionSpread(
        float(values.mean()), sd, low, high, n_runs, n_queries, n_bootstrap, seed, reason
    )
