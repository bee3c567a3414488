"""Saying plainly when numbers rest on too few clips to mean much."""

from __future__ import annotations

from collections.abc import Sequence

from review.models import Report
from review.reports.recall import V2T

FEW = 10
"""Below so many clips a number has no interval: a resample of so few is little but their lowest and
highest, and an interval from a fit of so few can be thousands of points wide."""


def too_few_reason(clips: int) -> str:
    """Why a number has no interval."""
    return f"From {clips} clip{'' if clips == 1 else 's'}; an interval needs at least {FEW}."


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
