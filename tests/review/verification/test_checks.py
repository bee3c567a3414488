"""What keeps a judgment from counting, sentence by sentence, and what to do about it."""

from fractions import Fraction

import pytest

from annotate.text.sentences import split_sentences
from review.verification.checks import problems_of
from review.verification.judgment import NO_FRAME, Judgment, Missing, Verdict, parse_types

CAPTION = "A man opens a door. He wears a red cap. A dog barks."


def verdict(code, correction="", *, deleted=False):
    return Verdict(parse_types(code), correction, is_deleted=deleted)


OK, UNDECIDED = verdict(""), Verdict(None)


def problems(
    *verdicts, missing=(), fits_theme=True, text=CAPTION, fps=Fraction(25), frames=250, **page
):
    judgment = Judgment(verdicts, tuple(missing), fits_theme)
    sentences = split_sentences(text)
    return [
        (problem.field, problem.message)
        for problem in problems_of(judgment, sentences, frames=frames, fps=fps, **page)
    ]


def rope(place=1, text="He climbs a rope.", start=0, end=75):
    return Missing(place, text, start, end)


def test_nothing_is_wrong_with_all_ok():
    assert problems(OK, OK, OK) == []


@pytest.mark.parametrize(
    "second",
    [
        verdict("A", "His cap is orange."),
        verdict("A#B", "His cap is orange."),
        verdict("B", "He wears a cap."),
        verdict("B", deleted=True),
        verdict("D", deleted=True),
        verdict("D", "He greets his dog and then waves to somebody outside."),
        verdict("A#D", deleted=True),
    ],
)
def test_a_complete_verdict_passes(second):
    assert problems(OK, second, OK) == []


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (verdict("A"), "is marked A: write the corrected sentence."),
        (
            verdict("A#B"),
            "is marked A#B: write the corrected sentence, or delete it.",
        ),
        (verdict("B"), "is redundant: write it without the redundant part, or delete it."),
        (verdict("D"), "is off topic: write it on topic, or delete it."),
        (
            verdict("A", deleted=True),
            "is deleted, but is not redundant or off topic: mark it B or D, or keep it.",
        ),
        (
            verdict("", deleted=True),
            "is deleted, but is not redundant or off topic: mark it B or D, or keep it.",
        ),
        (
            verdict("B", "He has a cap.", deleted=True),
            "is both deleted and corrected: choose one.",
        ),
        (
            verdict("", "His cap is orange."),
            "has a correction but no error: mark it A, B or D, or remove the correction.",
        ),
        (
            verdict("A", "He wears a red cap."),
            "has a correction identical to the original: change it, or mark the sentence ok.",
        ),
        (
            verdict("B", "He wears a very red cap."),
            "is only redundant (B), but its correction is not shorter: shorten it, or add A.",
        ),
        (
            verdict("A", "0"),
            "has the correction 0, which marks a deletion: delete the sentence.",
        ),
        (verdict("A", "🙂 —"), "has a correction without words: write the sentence."),
        (
            verdict("A#D", "…"),
            "has a correction without words: write the sentence, or delete it.",
        ),
    ],
)
def test_a_verdict_says_what_is_due(second, message):
    assert problems(OK, second, OK) == [("correction-1", f"Sentence 2 {message}")]


def test_undecided_sentences_are_named_by_their_runs():
    message = "undecided: choose ok, or A, B, C or D."
    assert problems(OK, OK, UNDECIDED) == [("verdict-2", f"Sentence 3 is {message}")]
    assert problems(UNDECIDED, OK, UNDECIDED) == [
        ("verdict-0", f"Sentence 1 is {message}"),
        ("verdict-2", f"Sentence 3 is {message}"),
    ]
    assert problems(OK, UNDECIDED, UNDECIDED) == [("verdict-1", f"Sentences 2 and 3 are {message}")]
    text = "One. " * 10_000
    assert problems(*[UNDECIDED] * 10_000, text=text) == [
        ("verdict-0", f"Sentences 1 to 10000 are {message}")
    ]


def test_the_theme_is_asked_for():
    assert problems(OK, OK, OK, fits_theme=None) == [
        ("theme", "Say whether the caption as a whole is about this clip.")
    ]
    assert problems(OK, OK, OK, fits_theme=None, noun="video") == [
        ("theme", "Say whether the caption as a whole is about this video.")
    ]
    assert problems(OK, OK, OK, fits_theme=False) == [
        (
            "theme",
            "The caption is off topic, but no sentence has D: "
            "mark the sentences that are off topic D.",
        )
    ]
    assert problems(OK, OK, verdict("D", deleted=True), fits_theme=False) == []


def test_a_missing_segment_may_stand_on_either_side_of_the_sentence_with_c():
    c = verdict("C")
    assert problems(OK, c, OK, missing=[rope(1)]) == []
    assert problems(OK, c, OK, missing=[rope(2)]) == []
    assert problems(c, OK, OK, missing=[rope(0)]) == []
    assert problems(OK, OK, c, missing=[rope(3)]) == []
    assert problems(OK, c, c, missing=[rope(2), rope(3)]) == []


def test_each_c_needs_a_segment_of_its_own():
    c = verdict("C")
    lonely = (
        "is marked C but has no missing segment: "
        "insert the missing content before or after it, or remove C."
    )
    assert problems(OK, c, OK) == [("verdict-1", f"Sentence 2 {lonely}")]
    assert problems(c, c, OK, missing=[rope(1)]) == [("verdict-1", f"Sentence 2 {lonely}")]


@pytest.mark.parametrize(
    ("place", "field", "where", "number"),
    [
        (0, "verdict-0", "before sentence 1", 1),
        (1, "verdict-1", "before sentence 2", 2),
        (3, "verdict-2", "at the end", 3),
    ],
)
def test_a_missing_segment_needs_a_c_beside_it(place, field, where, number):
    assert problems(OK, OK, OK, missing=[rope(place)]) == [
        (
            field,
            f"The missing segment {where} has no C next to it: mark sentence {number} C.",
        )
    ]


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (0, 74, "lasts 2.96 s, but C needs at least 3 s: choose a longer span, "
                "or remove it."),
        (10, 10, "covers frames 10 to 10: choose a span from 0 to 250."),
        (90, 10, "covers frames 90 to 10: choose a span from 0 to 250."),
        (200, 251, "covers frames 200 to 251: choose a span from 0 to 250."),
        (NO_FRAME, 75, "lacks a start or an end: set both from the player."),
        (0, NO_FRAME, "lacks a start or an end: set both from the player."),
    ],
)  # fmt: skip
def test_a_span_lies_in_the_clip_and_lasts_three_seconds(start, end, message):
    assert problems(OK, verdict("C"), OK, missing=[rope(1, start=start, end=end)]) == [
        ("missing-1-start", f"The missing segment before sentence 2 {message}")
    ]


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ((0, 1), None),
        ((0, 250), None),
        ((10, 10), "covers frames 10 to 10: choose a span from 0 to 250, or clear both."),
        ((200, 251), "covers frames 200 to 251: choose a span from 0 to 250, or clear both."),
        ((NO_FRAME, 75), "has only one of start and end frame: set both, or clear both."),
        ((0, NO_FRAME), "has only one of start and end frame: set both, or clear both."),
    ],
)
def test_the_span_of_a_sentence_lies_in_the_clip_and_may_be_short(span, message):
    expected = [("span-1-start", f"Sentence 2 {message}")] if message else []
    assert problems(OK, Verdict(frozenset(), span=span), OK) == expected


class TestAClipOfLessThanThreeSeconds:
    def test_it_can_be_verified(self):
        assert problems(OK, verdict("A", "His cap is orange."), OK, frames=74) == []

    def test_its_c_must_be_removed(self):
        mend = "is marked C, but the clip lasts 2.96 s and C needs at least 3 s: remove C."
        assert problems(OK, verdict("C"), OK, frames=74) == [("verdict-1", f"Sentence 2 {mend}")]

    def test_its_missing_segment_must_be_removed(self):
        mend = (
            "The missing segment before sentence 2 is not possible because the clip "
            "lasts 2.96 s and C needs at least 3 s: remove it."
        )
        messages = problems(OK, verdict("C"), OK, missing=[rope(1, end=74)], frames=74)
        assert messages == [("missing-1-start", mend)]

    def test_one_of_exactly_three_seconds_may_be_missing_whole(self):
        assert problems(OK, verdict("C"), OK, missing=[rope(1, end=75)], frames=75) == []


def test_three_seconds_are_exact_at_uneven_frame_rates():
    ntsc = Fraction(30_000, 1001)
    c = verdict("C")
    assert problems(OK, c, OK, missing=[rope(1, end=90)], fps=ntsc) == []
    [(field, message)] = problems(OK, c, OK, missing=[rope(1, end=89)], fps=ntsc)
    assert field == "missing-1-start"
    assert "lasts 2.96 s" in message


def test_a_missing_segment_needs_words():
    assert problems(OK, verdict("C"), OK, missing=[rope(1, text="…")]) == [
        (
            "missing-1-text",
            "The missing segment before sentence 2 has no words: "
            "describe what the clip shows, or remove it.",
        )
    ]


def test_something_must_be_left():
    gone = verdict("B", deleted=True)
    assert problems(gone, gone, gone) == [
        (
            "",
            "The corrected caption would be empty: "
            "correct at least one sentence, or insert missing content.",
        )
    ]


def test_all_problems_are_listed_at_once_in_the_order_of_the_text():
    messages = problems(verdict("A"), verdict("C"), OK, missing=[rope(3, end=10)], fits_theme=None)
    assert [field for field, _ in messages] == [
        "correction-0",
        "verdict-1",
        "missing-3-start",
        "verdict-2",
        "theme",
    ]


def test_a_judgment_of_another_caption_is_a_mistake_of_the_program():
    with pytest.raises(ValueError, match="1 verdicts for 3 sentences"):
        problems(OK)
