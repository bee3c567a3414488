"""The words of a caption: what counts as one word, and what doesn't count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.overlap.words import words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A man rides. He stops!", "a man rides he stops"),
        ("The man's hat doesn't fall; they're gone.", "the man 's hat does n't fall they 're gone"),
        (
            "The man’s “T-shirt” (red) — and/or blue_ish…",
            "the man 's t-shirt -lrb- red -rrb- and/or blue_ish",
        ),
        ("the dogs' 3.5 m, 1,000 kg at 10:30.", "the dogs 3.5 m 1,000 kg at 10:30"),
        ("It costs $5 🏊‍♀️", "it costs $ 5 ♀"),
        ("Cafe\u0301 CAFÉ", "cafe\u0301 café"),
        ("n't 's", "n't 's"),
        ("... ? ! ' -- \n\t", ""),
        ("What?! No!!", "what ?! no !!"),
        ("", ""),
    ],
)
def test_it_keeps_words_and_symbols_and_drops_punctuation(text, words):
    assert " ".join(words_of(text)) == words


@given(st.text())
def test_words_hold_no_space(text):
    assert all(word.split() == [word] for word in words_of(text))


def test_a_text_without_a_space_is_read_at_once():
    assert len(words_of("a-" * 10_000 + "b")) == 1
    assert len(words_of("a'" * 2_000)) == 2_000
    assert len(words_of("1." * 10_000)) == 1
