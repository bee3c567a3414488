"""Word counts of captions, summed up."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.statistics.words import sum_up


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({155: 1}, (1, 155, 155, 155, 155)),
        ({155: 1, 175: 1}, (2, 330, 155, 165, 175)),
        ({150: 3, 151: 2, 400: 1}, (6, 1152, 150, 150.5, 400)),
    ],
)
def test_counts_are_summed_up(counts, expected):
    summary = sum_up(Counter(counts))
    assert (
        summary.captions,
        summary.total,
        summary.least,
        summary.median,
        summary.most,
    ) == expected
    assert summary.mean == summary.total / summary.captions


@given(st.lists(st.integers(0, 500), min_size=1))
def test_the_summary_of_counts_is_that_of_the_list(words):
    summary, ordered, n = sum_up(Counter(words)), sorted(words), len(words)
    assert (summary.captions, summary.total) == (n, sum(words))
    assert (summary.least, summary.most) == (ordered[0], ordered[-1])
    assert summary.median == (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def test_no_captions_have_no_summary():
    assert sum_up(Counter()) is None
