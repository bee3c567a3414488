"""The word rule in JavaScript, in a real browser, against the rule in Python."""

import json
import random
import unicodedata
from pathlib import Path

import pytest

from annotate.text.words import count_words

ROOT = Path(__file__).parents[2]
CASES = json.loads((ROOT / "tests/annotate/text/word_count_cases.json").read_text("utf-8"))

LOAD = """async (source) => {
  const address = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
  window.words = await import(address);
}"""

# Where the two could part: joiners, digits, marks, invisible letters, scripts without spaces.
UNSETTLED = {"Cn", "Cs"}  # not yet assigned, or half of a pair
DELICATE = "ab1٣.,'’-‐ _½\u0301\u0338\u20e3\ufe0f\u200b\u200d\u00ad\u3164ℹ中かカーｱﾞ한ไ👍🏽"


@pytest.fixture(scope="module")
def count_in_browser(browser):
    """A function that counts a list of texts in Chromium."""
    page = browser.new_page()
    page.evaluate(LOAD, (ROOT / "static/js/ui/words.js").read_text("utf-8"))
    # As one text, since Playwright wraps each value of a list: \\uffff is never a character.
    count = "(texts) => texts.split('\\uffff').map(window.words.countWords).join()"
    yield lambda texts: [int(n) for n in page.evaluate(count, "\uffff".join(texts)).split(",")]
    page.close()


def test_it_counts_each_case_of_the_table(count_in_browser):
    counted = count_in_browser([case["text"] for case in CASES])
    assert dict(zip([case["name"] for case in CASES], counted, strict=True)) == {
        case["name"]: case["words"] for case in CASES
    }


def test_it_agrees_with_python_on_every_character(count_in_browser):
    characters = [chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) not in UNSETTLED]
    texts = [f"a{character}b {character}" for character in characters]
    assert [
        hex(ord(character))
        for character, text, count in zip(characters, texts, count_in_browser(texts), strict=True)
        if count != count_words(text)
    ] == []


def test_it_agrees_with_python_on_any_text(count_in_browser):
    drawn = random.Random(7)
    letters = [chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) not in UNSETTLED]

    def make_text() -> str:
        source = DELICATE if drawn.random() < 0.8 else letters
        return "".join(drawn.choices(source, k=drawn.randrange(1, 16)))

    texts = [make_text() for _ in range(5000)]
    counted = dict(zip(texts, count_in_browser(texts), strict=True))
    assert counted == {text: count_words(text) for text in texts}
