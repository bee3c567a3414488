import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.text.diff import DiffSpan, word_diff
from annotate.text.parts import join_parts
from tests.annotate.text.samples import ANNA, BEN

TEXT = st.text() | st.text(alphabet="ab .,\n'-é\u0301😀中")


def spans(*pairs):
    return [DiffSpan(op, text) for op, text in pairs]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("", "", []),
        ("same text.", "same text.", spans(("equal", "same text."))),
        ("", "new", spans(("insert", "new"))),
        ("old", "", spans(("delete", "old"))),
        (
            "The red car stops.",
            "The blue car stops.",
            spans(
                ("equal", "The "), ("delete", "red"), ("insert", "blue"), ("equal", " car stops.")
            ),
        ),
        (
            "He runs very fast.",
            "He walks rather slowly.",
            spans(
                ("equal", "He "),
                ("delete", "runs very fast"),
                ("insert", "walks rather slowly"),
                ("equal", "."),
            ),
        ),
        (
            "a T-shirt",
            "a shirt",
            spans(("equal", "a "), ("delete", "T-shirt"), ("insert", "shirt")),
        ),
        (
            "one  two",
            "one two",
            spans(("equal", "one"), ("delete", "  "), ("insert", " "), ("equal", "two")),
        ),
    ],
)
def test_it_shows_the_changed_words(a, b, expected):
    assert word_diff(a, b) == expected


def check_exact(a, b):
    diff = word_diff(a, b)
    assert "".join(span.text for span in diff if span.op != "insert") == a
    assert "".join(span.text for span in diff if span.op != "delete") == b
    assert all(span.text for span in diff)
    if a == b:
        assert all(span.op == "equal" for span in diff)


def test_two_write_ups_are_rebuilt_from_their_difference():
    check_exact(join_parts(ANNA), join_parts(BEN))


def test_thousands_of_repeated_words_are_compared_in_seconds():
    started = time.perf_counter()
    check_exact("a b " * 3000, "a c " * 3000)
    assert time.perf_counter() - started < 10


@given(TEXT, TEXT)
def test_both_texts_are_rebuilt_exactly(a, b):
    check_exact(a, b)


@given(TEXT)
def test_equal_texts_have_no_difference(text):
    check_exact(text, text)
