"""The marks of LoVR's table: set, removed, and refused where they are ambiguous."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.text.sentences import split_sentences
from review.annotation_table.marks import (
    Mark,
    MarkRow,
    Marks,
    marked,
    read_mark,
    rows_of,
    unmarked,
)
from review.verification.judgment import Judgment, Missing, Verdict, parse_types
from tests.annotate.text.test_sentences import PROSE

CAPTION = "A man opens a door. He wears a red cap. A dog barks."
SENTENCES = split_sentences(CAPTION)
JUDGMENT = Judgment(
    (
        Verdict(frozenset()),
        Verdict(parse_types("A#C"), "His cap is orange."),
        Verdict(parse_types("B"), is_deleted=True),
    ),
    (Missing(1, "A rope.", 0, 75), Missing(3, "It leaves.", 100, 200)),
    fits_theme=True,
)
MARKED = "A man opens a door. <MISSING><<He wears a red cap.>> <<A dog barks.>><MISSING>"


def test_erroneous_sentences_and_gaps_are_marked():
    assert marked(CAPTION, SENTENCES, JUDGMENT, Marks()) == MARKED
    assert marked(CAPTION, SENTENCES, JUDGMENT, Marks("[", "]", "^")) == (
        "A man opens a door. ^[He wears a red cap.] [A dog barks.]^"
    )


def test_there_is_a_row_for_each_mark_in_its_order():
    assert rows_of(JUDGMENT) == [
        MarkRow("C", "A rope.", 0, 75),
        MarkRow("A#C", "His cap is orange."),
        MarkRow("B", "0"),
        MarkRow("C", "It leaves.", 100, 200),
    ]


def test_marks_and_rows_read_back_as_they_were_judged():
    text, marks = unmarked(MARKED, Marks())
    labels = [
        read_mark(mark, row, SENTENCES) for mark, row in zip(marks, rows_of(JUDGMENT), strict=True)
    ]
    assert text == CAPTION
    assert labels == [
        JUDGMENT.missing[0],
        (1, JUDGMENT.verdicts[1]),
        (2, JUDGMENT.verdicts[2]),
        JUDGMENT.missing[1],
    ]


@given(PROSE, st.data())
def test_any_text_comes_back_from_its_marks(text, data):
    sentences = split_sentences(text)
    verdicts = tuple(
        Verdict(data.draw(st.sampled_from([frozenset(), frozenset("A")]))) for _ in sentences
    )
    places = [n for n in range(len(sentences)) if data.draw(st.booleans())]
    judgment = Judgment(verdicts, tuple(Missing(n, "x", 0, 75) for n in places))
    back, marks = unmarked(marked(text, sentences, judgment, Marks()), Marks())
    assert back == text
    assert [mark.start for mark in marks if mark.end is None] == [
        sentences[place].start for place in places
    ]
    assert [mark for mark in marks if mark.end is not None] == [
        Mark(s.start, s.end) for s, v in zip(sentences, verdicts, strict=True) if v.types
    ]


@pytest.mark.parametrize("text", ["A << B.", "A <MISSING> B.", "He runs >> fast.", "He runs.>"])
def test_a_text_that_looks_like_a_mark_needs_other_marks(text):
    judgment = Judgment((Verdict(parse_types("A"), "x"),))
    with pytest.raises(ValueError, match="contains <<, >> or <MISSING>; choose other marks"):
        marked(text, split_sentences(text), judgment, Marks())
    other = marked(text, split_sentences(text), judgment, Marks("⟦", "⟧", "⟨?⟩"))
    assert other == f"⟦{text}⟧"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<<One. <<Two.>>", "<< occurs twice without >> between"),
        ("One.>> Two.", ">> occurs without << before it"),
        ("One. <<Two.", "<< has no >> behind it"),
        ("<<One.<MISSING>>> Two.", "<MISSING> is inside a marked sentence; move it out"),
    ],
)
def test_wrong_marks_are_named(text, message):
    with pytest.raises(ValueError, match=message):
        unmarked(text, Marks())


@pytest.mark.parametrize(
    ("mark", "row", "message"),
    [
        (Mark(0, 5), MarkRow("A", "x"), "directly before and after one sentence"),
        (Mark(0, 39), MarkRow("A", "x"), "directly before and after one sentence"),
        (Mark(0, 19), MarkRow("", ""), "a marked sentence has no type"),
        (Mark(0, 19), MarkRow("A,B", "x"), "join A, B, C and D with #"),
        (Mark(3, None), MarkRow("C", "x"), "is inside a sentence; move it between two"),
        (Mark(0, None), MarkRow("A", "x"), "a placeholder must have type C, not “A”"),
    ],
)
def test_a_row_that_does_not_fit_its_mark_is_refused(mark, row, message):
    with pytest.raises(ValueError, match=message):
        read_mark(mark, row, SENTENCES)


@pytest.mark.parametrize("marks", [("", ">>", "?"), ("<", "<", "?"), (" ", ">", "?")])
def test_marks_must_differ_and_not_be_empty(marks):
    with pytest.raises(ValueError, match="Choose three different marks; none may be empty"):
        Marks(*marks)
