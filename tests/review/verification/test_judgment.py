"""A caption judged sentence by sentence: types, the rebuilt text, and the counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.text.sentences import split_sentences
from review.verification.judgment import (
    NO_FRAME,
    ErrorCounts,
    Judgment,
    Missing,
    Verdict,
    count_errors,
    join_types,
    judged_times,
    parse_types,
    rebuild,
)
from tests.annotate.text.test_sentences import PROSE

CAPTION = "A man opens a door. He wears a red cap. It is a door.\n\nA dog barks.  "


def ok():
    return Verdict(frozenset())


def bad(code, correction="", *, deleted=False):
    return Verdict(parse_types(code), correction, is_deleted=deleted)


def rebuilt(text, *verdicts, missing=()):
    return rebuild(text, split_sentences(text), Judgment(verdicts, tuple(missing)))


@pytest.mark.parametrize("code", ["", "A", "B#D", "A#B#C#D"])
def test_types_are_joined_as_the_paper_does(code):
    assert join_types(parse_types(code)) == code


def test_types_in_another_order_are_the_same_types():
    assert join_types(parse_types("D#A")) == "A#D"


@pytest.mark.parametrize("code", ["E", "a", "A,B", "A#", "#", "A#A", "AB", "ok", " A"])
def test_what_is_no_type_is_refused(code):
    with pytest.raises(ValueError, match="is not an error type; join A, B, C and D with #"):
        parse_types(code)


@given(st.text() | PROSE)
def test_all_ok_leaves_the_text_exactly_as_it_is(text):
    sentences = split_sentences(text)
    assert rebuild(text, sentences, Judgment(tuple(ok() for _ in sentences))) == text


def test_an_invisible_character_goes_with_the_sentence_that_it_follows():
    assert rebuilt("。\u200b", bad("A", "New.")) == "New."


@given(PROSE, st.data())
def test_whatever_stays_keeps_its_order_and_what_goes_is_gone(text, data):
    sentences = split_sentences(text)
    gone = [data.draw(st.booleans()) for _ in sentences]
    verdicts = [
        bad("B", deleted=True) if out else bad("A", f"New{n}.") for n, out in enumerate(gone)
    ]
    text = rebuild(text, sentences, Judgment(tuple(verdicts)))
    assert [f"New{n}." for n, out in enumerate(gone) if not out] == [
        word for word in text.replace("New", " New").split() if word.startswith("New")
    ]


def test_a_correction_takes_the_place_of_its_sentence_and_nothing_else_moves():
    assert rebuilt(CAPTION, ok(), bad("A", "His cap is orange."), ok(), ok()) == (
        "A man opens a door. His cap is orange. It is a door.\n\nA dog barks.  "
    )


def test_a_deleted_sentence_leaves_no_hole():
    gone = bad("B", deleted=True)
    assert rebuilt(CAPTION, ok(), gone, ok(), ok()) == (
        "A man opens a door. It is a door.\n\nA dog barks.  "
    )
    assert rebuilt(CAPTION, gone, ok(), ok(), ok()) == (
        "He wears a red cap. It is a door.\n\nA dog barks.  "
    )
    assert rebuilt(CAPTION, ok(), ok(), ok(), gone) == (
        "A man opens a door. He wears a red cap. It is a door.  "
    )


def test_paragraphs_stay_apart_when_the_first_or_last_of_one_is_deleted():
    gone = bad("D", deleted=True)
    assert rebuilt("One.\n\nTwo. Three.", ok(), gone, ok()) == "One.\n\nThree."
    assert rebuilt("One. Two.\n\nThree.", ok(), gone, ok()) == "One.\n\nThree."


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (0, "A rope. One. Two.\n\nThree."),
        (1, "One. A rope. Two.\n\nThree."),
        (2, "One. Two.\n\nA rope. Three."),
        (3, "One. Two.\n\nThree. A rope."),
    ],
)
def test_a_missing_segment_is_inserted_at_its_place(place, expected):
    missing = Missing(place, "A rope.", 0, 75)
    assert rebuilt("One. Two.\n\nThree.", ok(), ok(), ok(), missing=[missing]) == expected


def test_a_missing_segment_may_stand_where_a_sentence_is_deleted():
    missing = Missing(1, "A rope.", 0, 75)
    gone = bad("B#C", deleted=True)
    assert rebuilt("One. Two. Three.", ok(), gone, ok(), missing=[missing]) == "One. A rope. Three."


def test_scripts_without_spaces_get_none():
    missing = [Missing(1, "门开了。", 0, 75)]
    assert (
        rebuilt("他走了。她来了！", ok(), bad("C"), missing=missing) == "他走了。门开了。她来了！"
    )


def test_markup_is_text():
    caption = "<b>A man</b> runs. <script>alert(1)</script> He stops."
    sentences = split_sentences(caption)
    verdicts = [bad("A", "<i>x</i> & y."), *(ok() for _ in sentences[1:])]
    assert rebuilt(caption, *verdicts) == caption.replace(sentences[0].text, "<i>x</i> & y.", 1)


def test_errors_are_counted_both_ways():
    counts = count_errors([ok(), bad("A#B"), bad("C"), bad("A#B#C#D"), bad("D", deleted=True)])
    assert counts == ErrorCounts(sentences=5, a=2, b=2, c=2, d=2, content_error_sentences=3)
    assert counts.content_errors == 6
    assert counts.topic_errors == 2


def test_an_undecided_sentence_can_not_be_counted():
    with pytest.raises(ValueError, match="Undecided sentences: 1"):
        count_errors([ok(), Verdict(None)])


def test_ten_thousand_sentences_are_rebuilt_in_one_pass():
    text = " ".join(f"The man takes {n} steps." for n in range(10_000))
    sentences = split_sentences(text)
    assert len(sentences) == 10_000
    verdicts = [bad("A", "He stops.") if n == 5_000 else ok() for n in range(10_000)]
    new = rebuild(text, sentences, Judgment(tuple(verdicts)))
    assert new == text.replace("The man takes 5000 steps.", "He stops.")


def test_passages_have_the_frames_that_were_marked_or_those_that_they_had():
    marked = Verdict(frozenset("A"), "It is blue.", span=(7, 9))
    half_marked = Verdict(frozenset(), span=(3, NO_FRAME))
    judgment = Judgment(
        (marked, bad("B", deleted=True), half_marked, ok()),
        (Missing(2, "He waits.", 20, 25), Missing(4, "He goes.", 40, 50)),
    )
    had = [("It is red.", (0, 5)), ("Gone.", (1, 2)), ("He sits.", (3, 4)), ("He eats.", None)]
    assert judged_times(had, judgment) == [
        ("It is blue.", (7, 9)),
        ("He waits.", (20, 25)),
        ("He sits.", (3, 4)),
        ("He eats.", None),
        ("He goes.", (40, 50)),
    ]
