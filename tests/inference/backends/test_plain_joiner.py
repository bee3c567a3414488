from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.text.sentences import split_sentences
from inference.backends.plain_joiner import CONNECTIVES, PlainJoiner, load
from inference.backends.protocols import BackendError, Generation, ModelSettings

FIRST = "A man slices a melon. He wears a red shirt."
PARAGRAPH = st.lists(
    st.sampled_from(["A man runs.", "He stops!", "he stops", "Later a dog barks.", "Rita waves."]),
    min_size=1,
    max_size=5,
).map("\n".join)


def join(first, second):
    return PlainJoiner().join(first, second)


def without_connective(paragraph):
    for connective in CONNECTIVES:
        paragraph = paragraph.removeprefix(f"{connective} ")
    return paragraph


def test_a_connective_leads_to_the_second_paragraph():
    first, second = join(FIRST, "Anna takes a slice. She smiles.")
    assert first == FIRST
    assert without_connective(second) == "Anna takes a slice. She smiles."
    assert second != without_connective(second)


def test_what_the_first_paragraph_already_says_is_dropped_from_the_head():
    first, second = join(
        FIRST, "he wears a red  shirt!  A MAN SLICES A MELON. A dog barks. It is wet."
    )
    assert first == FIRST
    assert without_connective(second) == "a dog barks. It is wet."


def test_a_repeat_behind_something_new_is_kept():
    _, second = join(FIRST, "A dog barks. He wears a red shirt.")
    assert without_connective(second) == "a dog barks. He wears a red shirt."


@pytest.mark.parametrize(
    "sentence",
    ["He wears a red shirt and a hat.", "He wears a blue shirt.", "He wore a red shirt."],
)
def test_a_sentence_that_says_anything_else_is_kept(sentence):
    _, second = join(FIRST, sentence)
    assert without_connective(second)[1:] == sentence[1:]


def test_a_second_paragraph_that_only_repeats_stays_as_it_is():
    assert join(FIRST, "He wears a red shirt.") == (FIRST, "He wears a red shirt.")


@pytest.mark.parametrize(
    "second",
    [
        "Then he smiles.",
        "Next, he smiles.",
        "After that, he smiles.",
        "After he has smiled, he waves.",
        "Afterwards he smiles.",
        "Meanwhile, a dog barks.",
        "finally he smiles.",
        "At the end, he smiles.",
        "And then he smiles.",
    ],
)
def test_a_paragraph_with_a_connective_gets_no_other(second):
    assert join(FIRST, second) == (FIRST, second)


@pytest.mark.parametrize("second", ["Next to him stands a dog.", "Thence he goes.", "Nexus waves."])
def test_words_that_only_look_like_a_connective_get_one(second):
    _, joined = join(FIRST, second)
    assert joined != second
    assert without_connective(joined)[1:] == second[1:]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The man smiles.", "the man smiles."),
        ("A dog barks.", "a dog barks."),
        ("An owl looks.", "an owl looks."),
        ("It rains.", "it rains."),
        ("There is a dog.", "there is a dog."),
        ("These dogs bark.", "these dogs bark."),
        ("In the background, Anna waves.", "in the background, Anna waves."),
        ("Two dogs bark.", "two dogs bark."),
        ("Rita smiles.", "Rita smiles."),
        ("May smiles.", "May smiles."),
        ("Will smiles.", "Will smiles."),
        ("I wave.", "I wave."),
        ("US soldiers march.", "US soldiers march."),
        ("A. Smith waves.", "A. Smith waves."),
        ("A-Team members wave.", "A-Team members wave."),
        ("Dogs bark.", "Dogs bark."),
        ("Élan is all.", "Élan is all."),
    ],
)
def test_only_a_capital_that_no_name_can_have_is_lowered(sentence, expected):
    assert without_connective(join(FIRST, sentence)[1]) == expected


def test_the_connectives_take_turns():
    used = [join(FIRST, f"Dog {number} barks.")[1].split(" Dog")[0] for number in range(60)]
    assert set(used) == set(CONNECTIVES)
    assert min(used.count(connective) for connective in CONNECTIVES) > 8


def test_the_same_pair_is_joined_alike_in_another_process():
    script = (
        "from inference.backends.plain_joiner import PlainJoiner;"
        f"print(PlainJoiner().join({FIRST!r}, 'A dog barks.')[1])"
    )
    printed = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[3],
        env={"PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed.stdout.strip() == join(FIRST, "A dog barks.")[1]


@pytest.mark.parametrize(
    ("first", "second"), [("", "A."), ("A.", "  \n"), ("🎈", "A."), ("A.", "!")]
)
def test_a_paragraph_without_words_is_refused(first, second):
    with pytest.raises(BackendError) as refused:
        join(first, second)
    assert refused.value.code == "empty_paragraph"
    assert str(refused.value) == (
        "One of the two paragraphs has no words: write its caption first."
    )


@given(PARAGRAPH, PARAGRAPH)
def test_nothing_new_is_lost_and_nothing_is_empty(first, second):
    joined_first, joined_second = join(first, second)
    assert joined_first == first
    kept = without_connective(joined_second).lower()
    assert kept != ""
    assert second.lower().endswith(kept)
    dropped = second.lower().removesuffix(kept)
    first_sentences = {sentence.text.lower().rstrip(".!") for sentence in split_sentences(first)}
    assert {sentence.text.rstrip(".!") for sentence in split_sentences(dropped)} <= first_sentences


def test_it_answers_no_prompt():
    with pytest.raises(BackendError) as refused:
        load(ModelSettings("plain_joiner", "")).complete(["Join these."], Generation())
    assert (refused.value.code, refused.value.transient) == ("not_a_language_model", False)
    assert str(refused.value) == (
        "The plain joiner only joins paragraphs and answers no prompt: choose a language model "
        "for this run."
    )


def test_it_has_no_settings():
    with pytest.raises(BackendError, match="has no setting temperature: remove them"):
        load(ModelSettings("plain_joiner", "", parameters={"temperature": 1}))
