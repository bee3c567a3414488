from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.keywords import (
    KEYWORD_PROMPT,
    MAX_KEYWORD_LENGTH,
    MAX_KEYWORDS,
    Frequencies,
    document_frequencies,
    parse_keywords,
    tfidf_keywords,
)

CAPTIONS = [
    "A man slices a melon. The man smiles.",
    "Two men play tennis, and a dog watches the men.",
    "The dog's owner throws a ball.",
]
NO_CORPUS = document_frequencies([])
CAPTION = st.text("abc XYZ,.'-\n", max_size=80)


def test_document_frequencies_count_texts_by_stem():
    # "man", "Man" and "men" are one stem, as are "dog" and "dog's"; "a" and "the" say nothing.
    assert document_frequencies(CAPTIONS) == Frequencies(
        3,
        (
            ("2", 1),
            ("bal", 1),
            ("dog", 2),
            ("man", 2),
            ("melon", 1),
            ("owner", 1),
            ("play", 1),
            ("slic", 1),
            ("smil", 1),
            ("tennis", 1),
            ("throw", 1),
            ("watch", 1),
        ),
    )


def test_the_weight_of_a_stem_by_hand():
    frequencies = document_frequencies(CAPTIONS)
    assert frequencies.weight("man") == math.log(4 / 3) + 1
    assert frequencies.weight("melon") == math.log(4 / 2) + 1
    assert frequencies.weight("violin") == math.log(4 / 1) + 1
    assert NO_CORPUS.weight("melon") == 1


def test_equal_corpora_have_one_digest_whatever_their_order():
    frequencies = document_frequencies(CAPTIONS)
    again = document_frequencies(reversed(CAPTIONS))
    assert (frequencies, hash(frequencies), frequencies.digest) == (
        again,
        hash(again),
        again.digest,
    )
    others = [document_frequencies(CAPTIONS[:2]), document_frequencies([*CAPTIONS, ""]), NO_CORPUS]
    assert len({frequencies.digest, *(other.digest for other in others)}) == 4


def test_the_digest_is_the_same_in_another_process():
    script = (
        "from inference.keywords import document_frequencies as count;"
        f"print(count({CAPTIONS!r}).digest)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[2],
        env={"PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed.stdout.strip() == document_frequencies(CAPTIONS).digest


def test_a_caption_worked_by_hand():
    # No corpus, so every word weighs 1. "red shirt" occurs twice (2 * 2), "melon" three times (3);
    # of weight 2, in the order of the text, are "man slices" (1 * 2), "slice" (twice; its second
    # place is outside the phrase before it), "ripe melon" and "melon slice".
    # Left out: "slices the ripe" is no phrase; "red", "shirt", "man" and "ripe" are in phrases.
    caption = "A man slices the ripe melon. The red shirt, a melon; red shirts and the melon slice."
    assert tfidf_keywords(caption, NO_CORPUS) == [
        "red shirt",
        "melon",
        "man slices",
        "slice",
        "ripe melon",
        "melon slice",
    ]


def test_rare_words_come_before_those_of_every_caption():
    captions = ["A dog sits.", "A dog runs.", "A dog and a violin."]
    frequencies = document_frequencies(captions)
    assert tfidf_keywords("A dog and a violin.", frequencies) == ["violin", "dog"]
    assert tfidf_keywords("A dog and a violin.", NO_CORPUS) == ["dog", "violin"]


def test_ties_go_to_the_earlier_and_then_to_the_phrase():
    assert tfidf_keywords("Birch, oak, ash.", NO_CORPUS) == ["birch", "oak", "ash"]
    # "tree" and "tree house" both weigh 2 and begin at the same word.
    assert tfidf_keywords("tree house, tree", NO_CORPUS) == ["tree house", "tree"]


def test_a_word_that_is_only_in_chosen_phrases_is_left_out():
    assert tfidf_keywords("A wooden table.", NO_CORPUS) == ["wooden table"]
    assert tfidf_keywords("A wooden table. A table.", NO_CORPUS) == ["wooden table", "table"]


def test_phrases_end_at_punctuation_lines_and_function_words():
    assert tfidf_keywords("cat, dog\nbird and fish", NO_CORPUS) == ["cat", "dog", "bird", "fish"]
    assert tfidf_keywords("a left-handed  player", NO_CORPUS) == ["left-handed", "player"]


def test_words_that_speak_of_the_video_are_no_keywords():
    caption = "The video shows a beach. The clip begins with a wave."
    assert tfidf_keywords(caption, NO_CORPUS) == ["beach", "wave"]


def test_a_possessive_ending_is_not_part_of_a_keyword():
    assert tfidf_keywords("It is the dog's. It is Anna’s.", NO_CORPUS) == ["dog", "anna"]


@pytest.mark.parametrize("text", ["", "  \n", "It is there, and so are they.", "?! ..."])
def test_a_text_without_content_words_has_no_keywords(text):
    assert tfidf_keywords(text, document_frequencies(CAPTIONS)) == []


def test_no_more_than_the_limit():
    caption = "Birch, oak, ash, elm."
    assert tfidf_keywords(caption, NO_CORPUS, limit=2) == ["birch", "oak"]
    with pytest.raises(ValueError, match="limit is 0"):
        tfidf_keywords(caption, NO_CORPUS, limit=0)


@given(CAPTION, st.lists(CAPTION, max_size=4), st.integers(1, 9))
def test_keywords_are_distinct_words_of_the_text(text, corpus, limit):
    frequencies = document_frequencies(corpus)
    keywords = tfidf_keywords(text, frequencies, limit=limit)
    assert len(keywords) <= limit
    assert len(set(keywords)) == len(keywords)
    written = " ".join(text.lower().split())
    assert [keyword for keyword in keywords if keyword not in written] == []
    assert tfidf_keywords(text, frequencies, limit=limit + 1)[:limit] == keywords


def test_a_reply_is_cleaned():
    reply = 'Keywords: red shirt,  Man ,, man\n"kicks a  ball".\n- 3 men\n4. dog,'
    assert parse_keywords(reply) == ["red shirt", "Man", "kicks a ball", "3 men", "dog"]


def test_the_documented_form_of_a_reply():
    assert parse_keywords("boy, brick wall, dog") == ["boy", "brick wall", "dog"]


@pytest.mark.parametrize("reply", ["", " , ,\n,", "Answer:", '""'])
def test_a_reply_of_nothing_has_no_keywords(reply):
    assert parse_keywords(reply) == []


def test_a_sentence_is_no_keyword():
    fits, too_long = "a" * MAX_KEYWORD_LENGTH, "b" * (MAX_KEYWORD_LENGTH + 1)
    assert parse_keywords(f"{fits}, {too_long}") == [fits]


def test_a_model_that_does_not_stop_is_cut():
    reply = ", ".join(f"word {number}" for number in range(MAX_KEYWORDS + 5))
    assert parse_keywords(reply) == [f"word {number}" for number in range(MAX_KEYWORDS)]


@given(st.text('abB1 ,\n."-*:;', max_size=60))
def test_whatever_is_replied_gives_clean_and_distinct_keywords(reply):
    keywords = parse_keywords(reply)
    assert [word for word in keywords if not word or word != word.strip(' .;*"')] == []
    assert [word for word in keywords if "," in word or "\n" in word] == []
    assert len({word.casefold() for word in keywords}) == len(keywords)


def test_the_prompt_shows_two_examples_and_takes_any_caption():
    prompt = KEYWORD_PROMPT.format(caption="A {strange} caption, 100 %.")
    assert prompt.endswith("Caption: A {strange} caption, 100 %.\nAnswer:")
    answers = [line for line in prompt.splitlines() if line.startswith("Answer: ")]
    assert [len(parse_keywords(answer)) for answer in answers] == [8, 7]
