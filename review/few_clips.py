"""Saying plainly when numbers rest on too few clips to mean much."""

from __future__ import annotations

from collections.abc import Sequence

from review.models import Report
from review.reports.recall import V2T

FEW = 10
"""Below so many clips, or queries, a number has no interval and is never called the best: a
resample of so few is little but their lowest and highest, and an interval from a fit of so few can
be thousands of points wide."""
TOO_FEW = (
    f"Some numbers rest on fewer than {FEW} clips or queries. They have no interval, and no number "
    "in their column is marked as the best."
)


def is_few(count: int) -> bool:
    """Return whether so many clips or queries are too few for an interval or a winner."""
    return count < FEW


def too_few_reason(count: int, *, is_of_queries: bool = False) -> str:
    """Return why a number has no interval and is not called the best."""
    one, more = ("query", "queries") if is_of_queries else ("clip", "clips")
    return f"From {count} {one if count == 1 else more}; an interval needs at least {FEW}."


def few_clips_rated(report: Report) -> str:
    """Return why a leaderboard's ratings have no intervals and no ranks, or nothing."""
    clips = report.parameters.get("clips")
    return too_few_reason(clips) if clips is not None and is_few(clips) else ""


def few_clips(counts: Sequence[int], *, numbers: str = "intervals") -> str:
    """A warning where any number rests on fewer than FEW clips: a resample of so few is little but
    their lowest and highest. Nothing where a number rests on none: it is undefined and says why.
    `numbers`: what they are called where there is no interval."""
    few = sorted({count for count in counts if 0 < count < FEW})
    if not few:
        return ""
    clips = f"{few[0]} clip{'' if few[0] == 1 else 's'}"
    said = numbers if few[-1] > 1 else "numbers"
    if set(counts) - {0} == {few[0]}:
        return f"Only {clips}: the {said} say little."
    return f"Some numbers rest on {clips} only: below {FEW} clips the {said} say little."


def few_clips_of(report: Report) -> str:
    """The warning of a report whose numbers are of clips; of any other, and of one without numbers,
    nothing."""
    result = report.result
    match report.name:
        case Report.Name.CAPST:
            lists = [result[kind] for kind in ("events", "objects") if kind in result]
            return few_clips([one[part]["n"] for one in lists for part in ("recall", "precision")])
        case Report.Name.LEAKAGE:
            return few_clips([result.get("n_both", 0)])
        case Report.Name.RECALL:
            described = [kind[V2T]["n_queries"] for kind in result.get("kinds", {}).values()]
            return few_clips(described, numbers="numbers")
        case Report.Name.REBIAS:
            return few_clips([result.get("n_videos", 0)])
        case Report.Name.OVERLAP:
            return few_clips([result.get("n", 0)])
    return ""
