"""When the rest of some work will be done, if the coming days are like the last ones, and how much
time it takes.

No paper has this. The work of one day is taken as a draw from a distribution whose mean m and
standard deviation s are those of the n last finished days, days without work included. The work of
d coming days is then d * m, and the error of this prediction has the variance s^2 * (d + d^2 / n):
how much days differ, and how well n days tell their mean. A day d is in the interval if the work
that is left is within t standard errors of d * m, where t is Student's quantile for n - 1 degrees
of freedom. The ends of the interval are the roots of (left - d m)^2 = t^2 s^2 (d + d^2 / n).

Free days of the week, such as weekends, recur and so don't make the days differ by chance. From
MIN_DAYS_WITH_WEEKS days on, a day of the week that never has work is free if the other days nearly
always have work. Free days then don't count among the n, and d counts days of work, which become
days from now by the same week.

The time of what is left is predicted in the same way from the times of n finished submissions: k
more take k * m, with the variance s^2 * (k + k^2 / n).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

MIN_DAYS = 5
MAX_DAYS = 14
WEEK = 7
MIN_DAYS_WITH_WEEKS = 12
# So many of the other days may be without work where days of the week are free.
MAX_OTHER_SHARE_WITHOUT_WORK = 0.1
LEVEL = 0.8
Z_80 = 1.2815515655446004
# Student's quantiles at 0.9, both tails together LEVEL, by degrees of freedom: MIN_DAYS - 1 to
# MAX_DAYS - 1.
_QUANTILES = {
    **{4: 1.5332, 5: 1.4759, 6: 1.4398, 7: 1.4149, 8: 1.3968},
    **{9: 1.3830, 10: 1.3722, 11: 1.3634, 12: 1.3562, 13: 1.3502},
}


@dataclass(frozen=True)
class Forecast:
    """`days`: finished days that the pace is from, without free days; `mean` and `sd` of the units
    done in one of them. `expected`, `low` and `high` are days from now, free days included, all
    None with a `reason`; `high` alone is None if the days differ so much that the work may never
    end at this pace.
    """

    left: int
    days: int
    mean: float | None = None
    sd: float | None = None
    level: float = LEVEL
    expected: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""


@dataclass(frozen=True)
class TimeForecast:
    """Seconds that `left` submissions will take, from `n` finished ones: `expected` is an exact
    fraction, `error` half of the interval at `level`. Both are None with a `reason`."""

    left: int
    n: int
    level: float = LEVEL
    expected: Fraction | None = None
    error: float | None = None
    reason: str = ""


def forecast_time(left: int, n: int, seconds: int, squares: int) -> TimeForecast:
    """Return how long `left` submissions will take. `seconds` is the sum of the times of `n`
    finished ones, and `squares` of their squares. Raises ValueError for what no times have.
    """
    if min(left, n, seconds, squares) < 0 or seconds**2 > n * squares:
        raise ValueError("No times have these sums.")
    if not left:
        return TimeForecast(left, n, expected=Fraction(0), error=0.0)
    if n < MIN_DAYS:
        return TimeForecast(left, n, reason=_too_few_times(n))
    variance = float(squares - Fraction(seconds**2, n)) / (n - 1)
    error = _quantile(n - 1) * math.sqrt(variance * (left + left**2 / n))
    return TimeForecast(left, n, expected=Fraction(left * seconds, n), error=error)


def _too_few_times(n: int) -> str:
    if not n:
        return "No finished work with a time yet."
    return f"Only {n} finished item{'' if n == 1 else 's'} with a time; {MIN_DAYS} are needed."


def _quantile(df: int) -> float:
    """Return Student's quantile for LEVEL: from the table, or beyond it by the expansion about the
    normal quantile (Abramowitz & Stegun 26.7.5), which is exact to four digits there."""
    if df in _QUANTILES:
        return _QUANTILES[df]
    z = Z_80
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / df + second / df**2 + third / df**3


def forecast_finish(left: int, per_day: Sequence[int]) -> Forecast:
    """Return when `left` units will be done, from the units of each of the last finished days,
    oldest first. Days before the first with any work don't count, and of the others the last
    MAX_DAYS do; the last one is yesterday. Raises ValueError for a negative count.
    """
    if left < 0 or any(units < 0 for units in per_day):
        raise ValueError("Counts of work are never negative.")
    first = next((place for place, units in enumerate(per_day) if units), len(per_day))
    days = list(per_day[first:])[-MAX_DAYS:]
    if not left:
        return Forecast(left, len(days), expected=0.0, low=0.0, high=0.0)
    if len(days) < MIN_DAYS:
        return Forecast(left, len(days), reason=_too_few(len(days)))
    free = _free_weekdays(days)
    days = [units for place, units in enumerate(days, -len(days)) if place % WEEK not in free]
    n = len(days)
    mean = sum(days) / n
    if not mean:
        return Forecast(left, n, mean=0.0, sd=0.0, reason=f"Nothing was done in the last {n} days.")
    sd = math.sqrt(sum((units - mean) ** 2 for units in days) / (n - 1))
    low, high = _roots(left, mean, (_QUANTILES[n - 1] * sd) ** 2, n)
    return Forecast(
        left,
        n,
        mean=mean,
        sd=sd,
        expected=_days_from_now(left / mean, free),
        low=_days_from_now(low, free),
        high=None if high is None else _days_from_now(high, free),
    )


def _free_weekdays(days: Sequence[int]) -> frozenset[int]:
    """Return the free days of the week, 0 for that of today, from the last days, oldest first."""
    if len(days) < MIN_DAYS_WITH_WEEKS:
        return frozenset()
    by_weekday: dict[int, list[int]] = {}
    for place, units in enumerate(days, -len(days)):
        by_weekday.setdefault(place % WEEK, []).append(units)
    free = frozenset(weekday for weekday, counts in by_weekday.items() if not any(counts))
    others = [units for weekday in by_weekday.keys() - free for units in by_weekday[weekday]]
    is_steady = others.count(0) <= MAX_OTHER_SHARE_WITHOUT_WORK * len(others)
    return free if is_steady and len(others) >= MIN_DAYS else frozenset()


def _days_from_now(work_days: float, free: frozenset[int]) -> float:
    """Return when so many days of work are over, the free days between them included."""
    if not free:
        return work_days
    in_a_week = WEEK - len(free)
    weeks = max(0, math.ceil(work_days / in_a_week) - 1)
    left, passed = work_days - weeks * in_a_week, float(weeks * WEEK)
    for weekday in range(WEEK):
        if weekday in free:
            passed += 1
        elif left <= 1:
            break
        else:
            left, passed = left - 1, passed + 1
    return passed + left


def latest(own: Forecast, before: Forecast) -> Forecast:
    """Return the forecast of work that can't end before other work does. It is unknown, for the
    reason of that work, if the end of that work is.
    """
    if own.low is None or own.expected is None:
        return own
    if before.low is None or before.expected is None:
        return replace(own, expected=None, low=None, high=None, reason=before.reason)
    return replace(
        own,
        expected=max(own.expected, before.expected),
        low=max(own.low, before.low),
        high=None if None in (own.high, before.high) else max(own.high or 0, before.high or 0),
    )


def _too_few(days: int) -> str:
    if not days:
        return "No finished day with work yet."
    return f"Only {days} finished day{'' if days == 1 else 's'} of work; {MIN_DAYS} are needed."


def _roots(left: int, mean: float, spread: float, n: int) -> tuple[float, float | None]:
    """Return the two days at which the prediction misses `left` by exactly t standard errors. The
    smaller root is written so that it also holds where the quadratic term vanishes.
    """
    square = mean**2 - spread / n
    middle = 2 * left * mean + spread
    root = math.sqrt(max(0.0, middle**2 - 4 * square * left**2))
    low = 2 * left**2 / (middle + root)
    return low, (middle + root) / (2 * square) if square > 0 else None
