"""Counts at every thousandth agree with counting the scores themselves."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.threshold import consequences
from review.threshold.choice import count_choices

SCORES = st.floats(-2, 3, allow_nan=False, width=32)
THOUSANDTHS = st.integers(-1000, 1000)


@given(
    values=st.lists(SCORES, max_size=20),
    sample=st.lists(st.tuples(SCORES, st.integers(0, 3)), max_size=20),
    at=THOUSANDTHS,
)
def test_the_counts_of_a_choice_are_those_of_the_scores(values, sample, at):
    value = at / 1000
    choice = count_choices(values, sample, [0.2]).at(value)
    assert (choice.kept, choice.back) == (
        sum(score >= value for score in values),
        sum(score < value for score in values),
    )
    expected = consequences([score for score, _ in sample], [n for _, n in sample], value)
    assert (choice.sample_kept, choice.flagged) == (expected.kept, expected.flagged)
    assert (choice.missed, choice.false_alarms) == (expected.missed, expected.false_alarms)


def test_a_score_on_the_value_is_kept():
    choices = count_choices([0.1, 0.2, 0.3], [], [0.2])
    assert [choices.at(value).back for value in (0.199, 0.2, 0.201)] == [1, 1, 2]


@pytest.mark.parametrize(
    ("values", "inside", "slider"),
    [
        ([0.12, 0.355], [0.2], (0.12, 0.36)),
        ([0.3], [0.2, 0.5], (0.2, 0.51)),
        ([-4.0, 9.0], [0.2], (-1, 1)),
        ([], [0.2], (0.2, 0.21)),
    ],
)
def test_the_slider_goes_round_all_that_is_counted(values, inside, slider):
    assert count_choices(values, [], inside).slider == pytest.approx(slider, abs=0.0101)


def test_forty_thousand_scores_take_few_numbers():
    data = json.loads(count_choices([n / 100_000 for n in range(40_000)], [], [0.2]).as_json)
    assert len(data["back"]) == 402
    assert sum(data["back"]) == data["captions"] == 40_000
