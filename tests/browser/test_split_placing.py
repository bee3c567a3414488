"""static/js/split/placing.js: how a sentence goes into a text and out of it again."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SENTENCES = [
    "A man stands in a kitchen.",
    "He wears a long grey shirt.",
    "He taps it.",
    "A green melon lies on the board.",
    "He taps it.",
]
ALL = range(len(SENTENCES))


LOAD = """async (source) => {
  const address = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
  window.placing = await import(address);
}"""


@pytest.fixture(scope="module")
def call(browser):
    """A function that calls one of the module's in Chromium."""
    page = browser.new_page()
    page.evaluate(LOAD, (ROOT / "static/js/split/placing.js").read_text("utf-8"))

    def call(function, text, number, placed=ALL, **options):
        sentences = [{"number": n, "text": SENTENCES[n]} for n in placed]
        return page.evaluate(
            "([name, ...given]) => window.placing[name](...given)",
            [function, text, {"number": number, "text": SENTENCES[number]}, sentences, options],
        )

    yield call
    page.close()


def test_a_sentence_goes_to_its_place(call):
    assert call("put", "", 3, [])["text"] == SENTENCES[3]
    assert call("put", SENTENCES[0], 3, [0])["text"] == f"{SENTENCES[0]} {SENTENCES[3]}"
    assert call("put", SENTENCES[3], 0, [3])["text"] == f"{SENTENCES[0]} {SENTENCES[3]}"
    assert call("put", f"{SENTENCES[0]}\n\n", 3, [0])["text"] == f"{SENTENCES[0]}\n\n{SENTENCES[3]}"
    between = call("put", f"{SENTENCES[0]} Mine.\n{SENTENCES[3]}", 1, [0, 3])["text"]
    assert between == f"{SENTENCES[0]} Mine.\n{SENTENCES[1]} {SENTENCES[3]}"


def test_an_edited_later_sentence_still_marks_the_place(call):
    text = "A ripe green melon lies there, on the board."
    assert call("put", text, 1, [3])["text"] == f"{SENTENCES[1]} {text}"


def test_a_sentence_that_is_there_is_not_put_twice(call):
    text = f"{SENTENCES[0]} {SENTENCES[3]}"
    assert call("put", text, 3) == {"text": text, "outcome": "there"}


def test_an_edited_form_is_not_put_twice_unless_it_is_wanted(call):
    text = f"{SENTENCES[0]} He wears a very long grey shirt and shorts."
    result = call("put", text, 1, [0])
    assert (result["text"], result["outcome"]) == (text, "edited")
    assert text[result["start"] : result["end"]] == "He wears a very long grey shirt and shorts."
    added = call("put", text, 1, [0], evenIfEdited=True)
    assert added["text"] == f"{text} {SENTENCES[1]}"


def test_the_same_words_as_part_of_more_are_an_edited_form(call):
    text = f"“{SENTENCES[1]}” says he."
    result = call("takeOut", text, 1, [1])
    assert (result["text"], result["outcome"]) == (text, "edited")


def test_only_the_sentence_and_its_space_are_taken_out(call):
    text = f"{SENTENCES[0]} {SENTENCES[1]}\n\n{SENTENCES[3]}"
    assert call("takeOut", text, 0)["text"] == f"{SENTENCES[1]}\n\n{SENTENCES[3]}"
    assert call("takeOut", text, 1)["text"] == f"{SENTENCES[0]} \n\n{SENTENCES[3]}"
    assert call("takeOut", text, 3)["text"] == f"{SENTENCES[0]} {SENTENCES[1]}\n\n"
    assert call("takeOut", f"{SENTENCES[0]} {SENTENCES[1]}", 1)["text"] == SENTENCES[0]


def test_what_was_edited_stays(call):
    text = f"{SENTENCES[0]} He wears a long grey shirt of wool."
    assert call("takeOut", text, 1)["outcome"] == "edited"
    assert call("takeOut", text, 1)["text"] == text
    assert call("takeOut", text, 3)["outcome"] == "absent"


def test_a_sentence_said_twice_is_two_sentences(call):
    once = f"{SENTENCES[0]} {SENTENCES[2]} {SENTENCES[3]}"
    twice = call("put", once, 4, [0, 2, 3])["text"]
    assert twice == f"{once} {SENTENCES[4]}"
    assert call("takeOut", twice, 4, [0, 2, 3, 4])["text"] == once
    assert call("takeOut", twice, 2, [0, 2, 3, 4])["text"] == (
        f"{SENTENCES[0]} {SENTENCES[3]} {SENTENCES[4]}"
    )
