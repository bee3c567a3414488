"""What a judgment changes in a caption, sentence by sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotate.text.sentences import split_sentences
from review.verification.judgment import (
    MAX_DIFF_LENGTH,
    Judgment,
    Missing,
    Verdict,
    caption_changes,
    rebuild,
)
from tests.annotate.text.test_sentences import PROSE

OK = Verdict(frozenset())
GONE = Verdict(frozenset("B"), is_deleted=True)


def changes(text, *verdicts, missing=()):
    spans = caption_changes(text, split_sentences(text), Judgment(verdicts, tuple(missing)))
    return None if spans is None else [(span.op, span.text) for span in spans]


def test_words_that_two_sentences_share_are_no_change():
    corrected = Verdict(frozenset("A"), "She runs.")
    assert changes("He wears a cap. He wears a coat. He runs.", GONE, OK, corrected) == [
        ("delete", "He wears a cap. "),
        ("equal", "He wears a coat."),
        ("equal", " "),
        ("delete", "He"),
        ("insert", "She"),
        ("equal", " runs."),
    ]


def test_what_was_missing_is_new():
    rope = Missing(1, "He climbs.", 0, 90)
    assert changes("He runs.", OK, missing=[rope]) == [
        ("equal", "He runs."),
        ("insert", " He climbs."),
    ]


def test_a_caption_that_is_too_long_is_not_compared():
    assert changes("x" * MAX_DIFF_LENGTH, OK) is None


@given(PROSE, st.data())
def test_text_that_is_not_deleted_is_the_rebuilt_caption(text, data):
    sentences = split_sentences(text)
    kinds = [OK, GONE, Verdict(frozenset("A"), "New one.")]
    judgment = Judgment(tuple(data.draw(st.sampled_from(kinds)) for _ in sentences))
    spans = caption_changes(text, sentences, judgment)
    left = "".join(span.text for span in spans if span.op != "delete")
    assert left == rebuild(text, sentences, judgment)
