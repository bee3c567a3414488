"""Elements by rules, and entailment by shared words, named for what it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.backends.protocols import BackendError, ModelSettings
from inference.backends.word_overlap import WordOverlap, load
from inference.loading import forget_models, load_model
from inference.registry import BACKENDS, Role

JUDGE = WordOverlap()
CAPTION = (
    "A woman in a long red coat stands beside a white tiled wall. She picks up a knife, then "
    "slices two tomatoes on the wooden cutting board while her dog runs around the table. "
    "The video shows the kitchen."
)


def test_an_event_is_a_clause_with_a_word_of_motion():
    assert JUDGE.extract(CAPTION, "events", None) == [
        "She picks up a knife",
        "slices two tomatoes on the wooden cutting board",
        "her dog runs around the table",
    ]


def test_an_object_has_one_attribute():
    assert JUDGE.extract(CAPTION, "objects", None) == [
        "woman",
        "long coat",
        "red coat",
        "white wall",
        "tiled wall",
        "knife",
        "two tomatoes",
        "wooden cutting board",
        "dog",
        "table",
        "kitchen",
    ]


def test_no_more_than_asked_for_and_none_twice():
    assert JUDGE.extract("A cup. The cup. A red cup.", "objects", None) == ["cup", "red cup"]
    assert JUDGE.extract(CAPTION, "objects", 2) == ["woman", "long coat"]


@pytest.mark.parametrize("text", ["", "   ", "…", "It is.", "男人跳进水里。"])
def test_a_text_without_any_has_none(text):
    assert JUDGE.extract(text, "events", None) == []
    assert JUDGE.extract(text, "objects", None) == []


def test_an_element_is_entailed_when_all_its_words_are_there():
    assert JUDGE.judge(CAPTION, ["A woman slices a tomato", "a blue coat", "it was"]) == [
        ("entailment", "All its words of content are in the text."),
        ("neutral", "Not in the text: blue."),
        ("neutral", "It has no word of content to look for."),
    ]


def test_it_does_not_see_who_does_what_to_whom():
    [(relation, _)] = JUDGE.judge("The dog bites the man.", ["The man bites the dog"])
    assert relation == "entailment"


WORDS = st.lists(
    st.sampled_from(
        [
            "a",
            "the",
            "red",
            "dog",
            "cup",
            "table",
            "runs",
            "jumps",
            "and",
            "then",
            "in",
            "on",
            "two",
            "while",
            ",",
            ".",
        ]
    ),
    max_size=25,
).map(" ".join)


@given(WORDS)
def test_what_it_finds_in_a_text_the_text_entails(text):
    elements = [*JUDGE.extract(text, "events", None), *JUDGE.extract(text, "objects", None)]
    assert {relation for relation, _ in JUDGE.judge(text, elements)} <= {"entailment"}


@given(WORDS, WORDS)
def test_it_never_claims_a_contradiction(text, other):
    relations = JUDGE.judge(text, JUDGE.extract(other, "objects", None))
    assert {relation for relation, _ in relations} <= {"entailment", "neutral"}


def test_it_is_loaded_by_its_name_and_called_no_language_model():
    forget_models()
    assert isinstance(load_model(ModelSettings("word-overlap", "")), WordOverlap)
    info = BACKENDS["word-overlap"]
    assert (info.roles, info.queue) == (frozenset({Role.JUDGE}), "cpu")
    assert info.says.endswith("Not a language model.")
    forget_models()


def test_it_has_no_settings():
    with pytest.raises(BackendError, match="no setting size: remove them"):
        load(ModelSettings("word-overlap", "", parameters={"size": 1}))


def test_a_web_process_loads_no_model_for_it():
    code = (
        "import sys, inference.backends.word_overlap;"
        "print(sorted({'torch', 'transformers', 'cv2', 'av'} & set(sys.modules)))"
    )
    root = Path(__file__).parents[3]
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert process.stdout == "[]\n"
