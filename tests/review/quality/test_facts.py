"""Words that a text must have or must not."""

from __future__ import annotations

import pytest

from review.quality.facts import FactInvalid, read_facts

FIELDS = ("spatial", "temporal")
TEXTS = {"spatial": "Two red dogs.", "temporal": "One dog is jumping over a fence."}


@pytest.mark.parametrize(
    ("line", "is_met"),
    [
        ("red | crimson", True),
        ("crimson|red", True),
        ("blue", False),
        ("not: blue | green", True),
        ("not: red", False),
        ("NOT spatial: jump", True),
        ("spatial: dog", True),
        ("spatial: jump", False),
        ("temporal: jumps over", True),
        ("2 red dogs", True),
        ("dog red", False),
    ],
)
def test_a_fact_is_met_by_any_of_its_words_in_any_inflection(line, is_met):
    [fact] = read_facts([line, " "], FIELDS)
    assert fact.is_met(TEXTS) is is_met


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (["red", "overview: red"], "Line 2: only not:, spatial:, temporal: can come"),
        ([": red"], "Line 1: only"),
        (["red |"], "Line 1: give words"),
        (["not:"], "Line 1: give words"),
        (["red"] * 41, "at most 40 lines"),
    ],
)
def test_an_error_names_the_line_and_the_fix(lines, error):
    with pytest.raises(FactInvalid, match=error):
        read_facts(lines, FIELDS)


def test_a_fact_is_a_sentence():
    sentences = [str(fact) for fact in read_facts(["red | blue", "not temporal: red"], FIELDS)]
    assert sentences == [
        "The text must have “red” or “blue”.",
        "Temporal must not have “red”.",
    ]
