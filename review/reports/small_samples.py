"""Warn when numbers are based on too few clips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeVar

from review.reports.few import FEW

NEEDED = f"an interval needs at least {FEW}"
NO_BEST = "They have no interval, and no number in their column is marked as the best."
TOO_FEW = f"Some numbers are based on fewer than {FEW} clips, queries or videos. {NO_BEST}"


def is_few(count: int) -> bool:
    """Return whether so many clips or queries are too few for an interval or a winner."""
    return count < FEW


def too_few_reason(count: int, unit: str = "clip", units: str = "") -> str:
    """Return why a number has no interval and is not called the best. `units`: the plural of
    `unit`, by default with an s."""
    return f"From {_counted(count, unit, units)}; {NEEDED}."


class Estimate(Protocol):
    """A dataclass of a number with its interval; `reason` says why either is None."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def low(self) -> float | None: ...

    @property
    def high(self) -> float | None: ...

    @property
    def reason(self) -> str: ...


AnyEstimate = TypeVar("AnyEstimate", bound=Estimate)


def shown_estimate(
    estimate: AnyEstimate, count: int, unit: str = "clip", units: str = ""
) -> AnyEstimate:
    """Return a stored estimate as pages and files show it: if it is from too few `unit`s, without
    its interval `low` to `high` and with the `reason`."""
    if estimate.low is None or not is_few(count):
        return estimate
    reason = f"{estimate.reason} {too_few_reason(count, unit, units)}".strip()
    return replace(estimate, low=None, high=None, reason=reason)


class Ratings(Protocol):
    """A dataclass of ratings by model with their intervals; `reason` says what is missing."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def ratings(self) -> Mapping[str, float]: ...

    @property
    def low(self) -> Mapping[str, float | None]: ...

    @property
    def high(self) -> Mapping[str, float | None]: ...

    @property
    def ranks(self) -> Mapping[str, int] | None: ...

    @property
    def reason(self) -> str: ...


AnyRatings = TypeVar("AnyRatings", bound=Ratings)


def shown_ratings(fitted: AnyRatings, clips: int | None) -> AnyRatings:
    """Return stored Bradley-Terry ratings as pages and files show them: without intervals and
    ranks, and with the `reason`, if the votes are on too few clips. `clips` is None in a report
    without it."""
    if clips is None or not is_few(clips) or not fitted.ratings:
        return fitted
    none = dict.fromkeys(fitted.ratings)
    reason = f"{fitted.reason} {too_few_reason(clips)}".strip()
    return replace(fitted, low=none, high=none, ranks=None, reason=reason)


def _counted(count: int, unit: str, units: str = "") -> str:
    return f"{count} {unit if count == 1 else units or f'{unit}s'}"


def small_sample_warning(counts: Sequence[int], *, has_intervals: bool = True) -> str:
    """Return a warning if any number is based on fewer than FEW clips, else "". A number based on
    none is undefined and has its own reason. `has_intervals`: whether more clips give the numbers
    intervals."""
    few = sorted({count for count in counts if count and is_few(count)})
    if not few:
        return ""
    clips = _counted(few[0], "clip")
    needed = f", and {NEEDED}" if has_intervals else ""
    if set(counts) - {0} == {few[0]}:
        return f"Only {clips}: the numbers say little{needed}."
    return f"Some numbers are based on {clips} only: they say little{needed}."
