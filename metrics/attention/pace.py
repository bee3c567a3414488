"""Is somebody much faster than others, or than they were before?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from statistics import median

# Iglewicz and Hoaglin (1993), How to detect and handle outliers: the modified z-score, in which the
# factor makes the median absolute deviation the standard deviation of a normal distribution, and
# their cut-off.
NORMAL = 0.6745
FAST_Z = -3.5
MIN_OWN, MIN_COMPARED = 5, 10


@dataclass(frozen=True)
class Pace:
    """The median of `n_own` times beside `n_compared` others, in seconds. `z` is None with a
    `reason` where it can't be computed; `is_marked`: z is at or below FAST_Z."""

    n_own: int
    n_compared: int
    own_median: float | None
    compared_median: float | None
    z: float | None
    is_marked: bool
    reason: str = ""


def compare_pace(own: Sequence[float], compared: Sequence[float]) -> Pace:
    """Return the modified z-score of the median of `own` among `compared`, times in seconds.

    Times are compared by their logarithm, because a few items take many times as long as the
    others; a time below one second counts as one. Needs MIN_OWN and MIN_COMPARED times. Raises
    ValueError for a negative time.
    """
    if any(seconds < 0 for seconds in (*own, *compared)):
        raise ValueError("A time is negative.")
    own_median = median(own) if own else None
    compared_median = median(compared) if compared else None

    def result(z: float | None, reason: str = "") -> Pace:
        is_marked = z is not None and z <= FAST_Z
        return Pace(len(own), len(compared), own_median, compared_median, z, is_marked, reason)

    if len(own) < MIN_OWN:
        return result(None, f"{_items(len(own))}, and {MIN_OWN} are needed.")
    if len(compared) < MIN_COMPARED:
        return result(None, f"{_items(len(compared))} to compare with; {MIN_COMPARED} are needed.")
    center = median(map(_log, compared))
    deviation = median(abs(_log(seconds) - center) for seconds in compared)
    if not deviation:
        return result(None, "Half of the items to compare with took equally long: no spread.")
    return result(NORMAL * (median(map(_log, own)) - center) / deviation)


def _items(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"


def _log(seconds: float) -> float:
    return log(max(seconds, 1.0))
