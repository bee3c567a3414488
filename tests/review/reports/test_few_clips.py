"""The warning that numbers rest on few clips."""

from dataclasses import dataclass

import pytest

from review.reports.few import FEW
from review.reports.small_samples import shown_estimate, small_sample_warning

NEEDED = ", and an interval needs at least 10."


@dataclass(frozen=True)
class Estimated:
    value: float
    low: float | None
    high: float | None
    reason: str = ""


@pytest.mark.parametrize(
    ("counts", "warning"),
    [
        ([], ""),
        ([10, 250], ""),
        ([0, 10], ""),
        ([2, 2], f"Only 2 clips: the numbers say little{NEEDED}"),
        ([2, 0], f"Only 2 clips: the numbers say little{NEEDED}"),
        ([1], f"Only 1 clip: the numbers say little{NEEDED}"),
        ([9, 250], f"Some numbers are based on 9 clips only: they say little{NEEDED}"),
        ([2, 1], f"Some numbers are based on 1 clip only: they say little{NEEDED}"),
    ],
)
def test_few_clips_are_warned_about(counts, warning):
    assert small_sample_warning(counts) == warning


def test_numbers_that_never_have_an_interval_need_none():
    assert (
        small_sample_warning([2, 2], has_intervals=False) == "Only 2 clips: the numbers say little."
    )


def test_an_estimate_of_too_few_keeps_its_value_and_says_why_it_has_no_interval():
    stored = Estimated(0.5, 0.1, 0.9)
    assert shown_estimate(stored, FEW) == stored
    reason = "From 9 queries; an interval needs at least 10."
    expected = Estimated(0.5, None, None, reason)
    assert shown_estimate(stored, FEW - 1, "query", "queries") == expected


def test_an_estimate_without_an_interval_keeps_its_own_reason():
    stored = Estimated(0.5, None, None, "Only one person.")
    assert shown_estimate(stored, 2) == stored
