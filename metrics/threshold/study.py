"""The input of this package: one score and one error count per caption."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metrics.intervals import Array


def checked_weights(weights: ArrayLike | None, n: int) -> Array:
    """Return (n,) weights, all 1 if none are given. Raises ValueError unless there is one above 0
    for each caption."""
    if weights is None:
        return np.ones(n)
    values = np.asarray(weights, dtype=float)
    if values.shape != (n,) or not np.isfinite(values).all() or not (values > 0).all():
        raise ValueError(f"give one weight above 0 for each of {n} captions")
    return values


def checked(scores: ArrayLike, errors: ArrayLike) -> tuple[Array, Array]:
    """Return both as (n,) arrays. Raises ValueError for unequal lengths, negative errors and
    numbers that are not finite."""
    values, counts = np.asarray(scores, dtype=float), np.asarray(errors, dtype=float)
    if values.ndim != 1 or values.shape != counts.shape:
        raise ValueError(
            f"scores have shape {values.shape} and errors {counts.shape}: give one number each "
            "for every caption"
        )
    if not np.isfinite(values).all() or not np.isfinite(counts).all():
        raise ValueError("scores and errors must be finite numbers")
    if (counts < 0).any():
        raise ValueError("errors are counts and can't be negative")
    return values, counts
