import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.text import words
from annotate.text.words import count_words, find_words

CASES = json.loads(Path(__file__).with_name("word_count_cases.json").read_text("utf-8"))
WORDS_JS = Path(__file__).parents[3] / "static" / "js" / "ui" / "words.js"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_it_counts_each_case_of_the_table(case):
    assert count_words(case["text"]) == case["words"]


def test_the_table_holds_a_text_at_the_upper_limit():
    assert max(case["words"] for case in CASES) == 300


def test_javascript_repeats_the_pattern_letter_by_letter():
    script = WORDS_JS.read_text("utf-8")
    raw_strings = dict(re.findall(r"const (\w+) = String\.raw`(.*)`;", script))
    for name in raw_strings:
        filled = raw_strings[name]
        while placeholder := re.search(r"\$\{(\w+)\}", filled):
            filled = filled.replace(placeholder[0], raw_strings[placeholder[1]])
        assert filled == getattr(words, name)
    assert "WORD_PATTERN" in raw_strings


def test_offsets_are_code_points_of_the_text_as_given():
    text = "👍🏽 Cafe\u0301s don’t close."
    assert [(word.start, word.end, word.text) for word in find_words(text)] == [
        (3, 9, "Cafe\u0301s"),
        (10, 15, "don’t"),
        (16, 21, "close"),
    ]


@given(st.text())
def test_words_lie_in_order_where_they_say(text):
    end = 0
    for word in find_words(text):
        assert end <= word.start < word.end
        assert text[word.start : word.end] == word.text
        end = word.end
    assert count_words(text) == len(find_words(text))


@given(st.text(alphabet="ab1Z.,'-_# \n\x1f’‘“”‐‑–—…\u00a0é"))
def test_the_quick_way_counts_what_the_other_finds(text):
    assert count_words(text) == len(find_words(text))


@given(st.text())
def test_composed_and_decomposed_text_count_alike(text):
    assert count_words(unicodedata.normalize("NFC", text)) == count_words(text)
    assert count_words(unicodedata.normalize("NFD", text)) == count_words(text)


@given(
    st.text(alphabet="ab1٣.,'’-é中か😀 "), st.integers(0, 99), st.sampled_from("\u200b\u2060\u00ad")
)
def test_an_invisible_character_changes_no_count(text, place, invisible):
    place = min(place, len(text))
    assert count_words(text[:place] + invisible + text[place:]) == count_words(text)
