"""The tokens are those of Stanford's PTBTokenizer 3.4.1, by its own output."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.overlap import treebank
from metrics.overlap.words import PUNCTUATION, words_of

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name):
    lines = (GOLDEN / name).read_text(encoding="utf-8").split("\n")
    return [line.split("\t") for line in lines if line and "\t" in line]


def words_by_java(tokens):
    kept = (token for token in tokens.split(" ") if token not in PUNCTUATION)
    return tuple(word for token in kept for word in token.split())


def differences(name):
    return [
        (text, words_by_java(tokens), words_of(text))
        for text, tokens in golden(name)
        if words_of(text) != words_by_java(tokens)
    ]


def test_sentences_have_the_tokens_of_coco_caption():
    assert len(golden("treebank_tokens.tsv")) > 500
    assert differences("treebank_tokens.tsv") == []


def test_random_strings_of_words_and_signs_differ_in_two_of_six_hundred():
    assert len(golden("treebank_random.tsv")) == 600
    assert len(differences("treebank_random.tsv")) <= 2


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("50% of it", "50 % of it"),
        ("3/4 and/or km/h", "3/4 and/or km/h"),
        ("Tom & Jerry", "tom & jerry"),
        ("Mr. Smith cannot.", "mr. smith can not ."),
        ("gonna go", "gon na go"),
        ("the U.S. The", "the u.s. the"),
        ("vitamin C. The", "vitamin c . the"),
        ("a... b", "a. . . b"),
        ("(red)", "-lrb- red -rrb-"),
        ("don’t — “wait”", "do n't -- `` wait ''"),
        ("1 1/2 cups", "1 1/2 cups"),
    ],
)
def test_tokens_are_worked_out_by_hand(text, tokens):
    assert " ".join(treebank.treebank_tokens(text)) == tokens


@given(st.text(alphabet="aI n't.,;:!?-'\"/$%5&()UScanot gon ’", max_size=40))
def test_the_usual_words_need_no_rule(text):
    """The short way for usual words gives what all rules give."""
    short = list(treebank.treebank_tokens(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(treebank, "_is_special", lambda usual: True)
        assert list(treebank.treebank_tokens(text)) == short


def test_what_follows_a_space_changes_nothing_that_is_remembered():
    alone = [list(treebank.treebank_tokens(run)) for run in ("it's", '"a-b"', "gonna", "a/b,")]
    together = list(treebank.treebank_tokens('it\'s "a-b" gonna a/b, The 5'))
    assert together == [token for tokens in alone for token in tokens] + ["the", "5"]
