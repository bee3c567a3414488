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
    found = sum_up(Counter(counts))
    assert (found.captions, found.total, found.least, found.median, found.most) == expected
    assert found.mean == found.total / found.captions


@given(st.lists(st.integers(0, 500), min_size=1))
def test_they_are_those_of_the_list(words):
    found, ordered, n = sum_up(Counter(words)), sorted(words), len(words)
    assert (found.captions, found.total) == (n, sum(words))
    assert (found.least, found.most) == (ordered[0], ordered[-1])
    assert found.median == (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def test_of_no_captions_there_is_nothing_to_say():
    assert sum_up(Counter()) is None
