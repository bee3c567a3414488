"""The words of a modification, and numbers written in either way."""

import pytest

from review.modifications.differences import differences_warned_of
from review.modifications.text import PAPER, Limits, plain_form, problem_with


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("show with 2.5 somersaults", "Show with two and a half somersaults."),
        ("show with 1 turn", "show with one turn"),
        ("show with 0.5 turn", "show with half a turn"),
        ("show with 0.5 turn", "show with a half turn"),
        ("show with 2.0 turns", "show with two turns"),
        ("show with 3.50 turns", "show with three-and-a-half turns"),
        ("add 1 twist, then pike", "Add one twist then pike!"),
        ("show  on\tBeam", "show on beam"),
        ("forward, 3.5 turns", "forward 3.5 turns"),
    ],
)
def test_these_read_the_same(first, second):
    assert plain_form(first) == plain_form(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("show with 2 turns", "show with 2.5 turns"),
        ("show with one turn", "show with one and a half turns"),
        ("show with 10 turns", "show with 1 turns"),
        ("show on beam", "show off beam"),
        ("show someone turning", "show some1 turning"),
    ],
)
def test_these_read_differently(first, second):
    assert plain_form(first) != plain_form(second)


def test_a_modification_has_2_to_19_words():
    assert problem_with("show off", PAPER) == ""
    assert problem_with(" ".join(["turn"] * 19), PAPER) == ""
    assert problem_with("turn", PAPER).startswith("Write at least 2 words")
    assert problem_with(" ... ", PAPER).startswith("Write at least 2 words")
    too_long = problem_with(" ".join(["turn"] * 20), PAPER)
    assert too_long.startswith("Shorten it to 19 words (it has 20)")


def test_a_project_may_set_other_limits():
    assert problem_with("turn", Limits(1, 3)) == ""
    assert problem_with("turn two more times", Limits(1, 3)).startswith("Shorten it to 3 words")
    assert problem_with(" ", Limits(1, 3)).startswith("Write at least 1 word that")


def test_few_words_may_be_too_long():
    assert problem_with(f"show {'x' * 295}", PAPER) == ""
    assert problem_with(f"show {'x' * 296}", PAPER) == "Shorten it to 300 characters (it has 301)."


TWIST = "(Floor Exercise) salto backward stretched with 1 twist"
MORE_TWISTS = "(Floor Exercise) salto backward stretched with 2.5 twist"


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ("show with two and a half twists", []),
        ("add twists until there are 2.5", ["Neither label has “until” or “are”."]),
        (
            "show with 2 twists",
            ["It doesn't say “2.5”, which only the target has.", "Neither label has “2”."],
        ),
        (
            "do it on the beam",
            ["It doesn't say “2.5”, which only the target has.", "Neither label has “beam”."],
        ),
    ],
)
def test_what_leaves_out_the_difference_or_adds_to_it_is_named(text, warnings):
    assert differences_warned_of(TWIST, MORE_TWISTS, text) == warnings


def test_a_text_without_any_word_that_differs_is_named():
    warned = differences_warned_of("Back, Soms.Tuck", "Back, Soms.Pike", "change the position back")
    assert warned == ["It has none of the words that differ between the two labels."]
    assert differences_warned_of("Back, Soms.Tuck", "Back, Soms.Pike", "not tucked") == []
