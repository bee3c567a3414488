"""Warn about a report whose numbers are based on too few clips."""

from __future__ import annotations

from review.reports.models import Report
from review.reports.registry import kind_of
from review.reports.results import is_readable, result_of
from review.reports.small_samples import small_sample_warning


def small_sample_warning_of(report: Report) -> str:
    """Return the small-sample warning of a report about clips; "" for any other, and for one that
    an earlier version stored in another shape."""
    kind = kind_of(report.name)
    if kind.clip_counts is None or not is_readable(report, kind.result_of(report.subject)):
        return ""
    counts = kind.clip_counts(result_of(report, kind.result_of(report.subject)))
    return small_sample_warning(counts, has_intervals=kind.has_intervals)
