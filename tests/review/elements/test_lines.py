"""Elements as people type them: what can't be stored, and what is worth a second look."""

import pytest

from review.elements.lines import lines_of, problem_with, warnings_about


def test_empty_lines_and_spaces_are_not_elements():
    assert lines_of("a  cup \n\n\t\r\na dog\n") == ["a cup", "a dog"]
    assert lines_of("") == []


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("", ""),
        ("a cup\na dog", ""),
        ("a cup\n\nA  CUP", "Line 2 repeats line 1. Remove one of them."),
        ("x" * 301, "Line 1 has 301 characters; shorten it to 300."),
        ("\n".join(map(str, range(201))), "There are 201 objects; list at most 200."),
    ],
)
def test_a_wrong_line_is_named_with_its_number(typed, problem):
    assert problem_with("objects", typed) == problem


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a red coat", ""),
        ("a dark red coat", ""),
        ("three cups", ""),
        ("a table by the window", ""),
        ("a long red coat", "Two attributes? It has “long”, “red”."),
        ("a man with glasses", ""),
        ("a man with glasses and a beard", "Two attributes? It has “with”, “and”."),
        ("a tall man wearing glasses", "Two attributes? It has “tall”, “wearing”."),
        ("a cup and a saucer", "Two objects? It has “and”."),
    ],
)
def test_an_object_that_may_be_two_or_have_two_attributes_is_asked_about(line, expected):
    assert [warning.message for warning in warnings_about("objects", line)] == (
        [expected] if expected else []
    )


def test_an_event_that_may_be_two_is_asked_about():
    typed = "a woman ties her shoe\nshe stands up and leaves\na man with a bag waves"
    assert warnings_about("events", typed) == [(2, "Two events? It has “and”.")]


def test_lines_of_the_same_words_are_asked_about():
    typed = "a woman slices a tomato\na dog runs\nThe tomato is sliced by the woman"
    assert warnings_about("events", typed) == [(3, "Same words as line 1. Is it the same?")]
