"""The words of a caption: what counts as one word, and what doesn't count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.overlap.words import CHAR, PTB, ZH, tokenizer_for, words_of


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


@pytest.mark.parametrize(
    ("text", "tokenizer", "words"),
    [
        ("A man rides a bike past a café.", PTB, "a man rides a bike past a café ."),
        ("한 남자가 자전거를 탄다.", PTB, "한 남자가 자전거를 탄다"),
        ("他骑Red自行车3.5米，停下。", ZH, "他 骑 red 自 行 车 3.5 米 停 下"),
        ("彼は自転車に乗る。", CHAR, "彼 は 自 転 車 に 乗 る"),
        ("เขาขี่", CHAR, "เ ข า ข ี ่"),
    ],
)
def test_the_script_decides_what_a_word_is(text, tokenizer, words):
    assert tokenizer_for([text]) == tokenizer
    assert [*words_of(text, tokenizer)] == [word for word in words.split() if word != "."]


@given(st.text())
def test_words_hold_no_space(text):
    assert all(word.split() == [word] for word in words_of(text))


def test_a_text_without_a_space_is_read_at_once():
    assert len(words_of("a-" * 10_000 + "b")) == 1
    assert len(words_of("a'" * 2_000)) == 2_000
    assert len(words_of("1." * 10_000)) == 1
