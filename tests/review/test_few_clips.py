"""The warning that numbers rest on few clips."""

import pytest

from review.few_clips import few_clips


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([], ""),
        ([10, 250], ""),
        ([0, 10], ""),
        ([2, 2], "Only 2 clips: the intervals say little."),
        ([2, 0], "Only 2 clips: the intervals say little."),
        # One clip has no interval.
        ([1], "Only 1 clip: the numbers say little."),
        ([9, 250], "Some numbers rest on 9 clips only: below 10 clips the intervals say little."),
        ([2, 1], "Some numbers rest on 1 clip only: below 10 clips the intervals say little."),
    ],
)
def test_few_clips_are_warned_about(counts, said):
    assert few_clips(counts) == said


def test_numbers_without_an_interval_are_called_numbers():
    assert few_clips([2, 2], numbers="numbers") == "Only 2 clips: the numbers say little."
