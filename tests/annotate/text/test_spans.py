"""Times of sentences: what a draft may hold, and where each belongs in a text."""

import json

import pytest

from annotate.text.spans import (
    Span,
    SpanError,
    inherited_times,
    make_spans,
    overlap,
    read_marks,
    timed_sentences,
    with_times,
)

TEXT = "She climbs. She jumps off the board. She dives."


def field(*marks):
    return json.dumps([dict(zip(("at", "start", "end", "text"), m, strict=True)) for m in marks])


def test_a_mark_belongs_to_the_sentence_around_its_place():
    marks = read_marks(field((12, 30, 85, "She jumps")), frames=100)
    assert timed_sentences(TEXT, marks) == [
        ("She climbs.", None),
        ("She jumps off the board.", (30, 85)),
        ("She dives.", None),
    ]


def test_a_mark_is_found_again_where_the_text_has_moved():
    marks = read_marks(field((0, 30, 85, "She jumps")), frames=100)
    assert timed_sentences(TEXT, marks)[1] == ("She jumps off the board.", (30, 85))


def test_the_nearest_of_equal_sentences_counts():
    marks = read_marks(field((20, 3, 4, "She dives.")), frames=100)
    timed = timed_sentences("She dives. She climbs. She dives.", marks)
    assert [frames for _, frames in timed] == [None, None, (3, 4)]


def test_two_marks_of_one_sentence_are_joined():
    marks = read_marks(field((12, 30, 40, "She jumps"), (22, 50, 60, "off")), frames=100)
    assert timed_sentences(TEXT, marks)[1][1] == (30, 60)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("[", "can't be read"),
        ("{}x", "can't be read"),
        ("[" * 15_000, "can't be read"),
        ("7", "can't be read"),
        ('["x"]', "can't be read"),
        (field((0, True, 5, "She")), "can't be read"),
        (field((0, 1.5, 5, "She")), "can't be read"),
        (field((0, 1, 5, " ")), "can't be read"),
        (field((0, 1, 5, 7)), "can't be read"),
        (field((0, 5, 5, "She")), "the start must come before the end"),
        (field((0, -1, 5, "She")), "frames -1 to 5"),
        (field((0, 1, 101, "She")), "within the clip's 100 frames"),
        (field(*[(0, 1, 5, "She")] * 101), "101 sentences have a time; keep 100 at most"),
    ],
)
def test_it_refuses_what_no_page_sends(value, message):
    with pytest.raises(SpanError, match=message):
        read_marks(value, frames=100)


def test_it_refuses_the_time_of_a_sentence_that_is_gone():
    marks = read_marks(field((0, 30, 85, "He swims")), frames=100)
    with pytest.raises(SpanError, match="“He swims”, which is not in the text"):
        timed_sentences(TEXT, marks)


def test_spans_lead_back_to_the_sentences_that_they_were_made_of():
    sentences = [("She climbs.", (0, 20)), ("She jumps off the board.", None), ("Bye", (5, 6))]
    text = "She climbs. She jumps off the board. Bye"
    spans = make_spans(text, sentences)
    assert spans == [
        Span(text_start=0, text_end=11, start_frame=0, end_frame=20),
        Span(text_start=37, text_end=40, start_frame=5, end_frame=6),
    ]
    assert with_times(text, spans, [sentence for sentence, _ in sentences]) == sentences


def test_without_spans_no_sentence_has_a_time():
    assert with_times("She climbs.", None, ["She climbs."]) == [("She climbs.", None)]


def test_an_edited_sentence_inherits_the_time_of_the_one_it_is_most_like():
    sources = [("A diver climbs a tower.", (0, 20)), ("The diver jumps into water.", (30, 40))]
    timed = inherited_times("A diver jumps into the water. The crowd cheers.", sources)
    assert timed == [
        ("A diver jumps into the water.", (30, 40)),
        ("The crowd cheers.", None),
    ]


@pytest.mark.parametrize(
    ("a", "b", "share"),
    [((0, 10), (0, 10), 1.0), ((0, 10), (5, 15), 1 / 3), ((0, 10), (10, 20), 0.0)],
)
def test_overlap_is_the_shared_part_of_both(a, b, share):
    assert overlap(a, b) == share
