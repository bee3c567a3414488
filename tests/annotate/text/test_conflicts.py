import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.text.align import align_sentences
from annotate.text.conflicts import Conflict, find_conflicts
from annotate.text.sentences import split_sentences
from tests.annotate.text.samples import ANNA, BEN


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Two dogs run.", "Three dogs run.", "number"),
        ("There are 2 white bowls.", "There are three small bowls.", "number"),
        ("He turns 2.5 times.", "He turns 3.5 times.", "number"),
        ("He taps it twice.", "He taps it three times.", "number"),
        ("The man wears a red shirt.", "The man wears a blue shirt.", "colour"),
        ("The man wears a red T-shirt.", "He is in a blue top.", "colour"),
        ("The shirt is dark red.", "The shirt is green.", "colour"),
        ("A red and white car waits.", "A blue car waits.", "colour"),
        ("He lifts his left hand.", "He lifts his right hand.", "side"),
        ("A logo is in the top left corner.", "A logo is in the top right corner.", "side"),
        ("He turns to the left.", "He turns to the right.", "side"),
        ("It turns clockwise.", "It turns counter-clockwise.", "side"),
        ("It turns anticlockwise.", "It turns clockwise.", "side"),
        ("A mark at the top.", "A mark at the bottom.", "side"),
        ("He washes the tomato, then cuts it.", "He cuts the tomato, then washes it.", "order"),
        (
            "He wipes the knife before he lifts a slice.",
            "He lifts a slice, then wipes the knife.",
            "order",
        ),
        ("He eats after he washes his hands.", "He eats before he washes his hands.", "order"),
        ("Before he jumps, he waves.", "First he jumps, then he waves.", "order"),
    ],
)
def test_it_finds_a_contradiction(a, b, kind):
    assert [conflict.kind for conflict in find_conflicts(a, b)] == [kind]
    assert [conflict.kind for conflict in find_conflicts(b, a)] == [kind]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Two dogs run.", "2 dogs run."),
        ("He turns 2.0 times.", "He turns two times."),
        ("He taps it twice.", "He taps it 2 times."),
        ("1,000 people wave.", "1000 people wave."),
        ("Two dogs run.", "Dogs run."),
        ("Two dogs and a cat.", "A dog and three cats."),
        ("One of them waves.", "Two of them wave."),
        ("A grey wall.", "A gray wall."),
        ("A dark blue shirt.", "A blue shirt."),
        ("A navy jacket.", "A dark blue jacket."),
        ("A red shirt and a blue hat.", "A blue hat and a red shirt."),
        ("A red and white car.", "A white and red car."),
        ("A man in a red shirt sits on a sofa.", "A man sits on a blue sofa."),
        ("He holds it in his left hand.", "He holds it."),
        (
            "His left hand holds it, his right hand cuts.",
            "His right hand cuts, his left hand holds.",
        ),
        ("He left the room.", "He goes right away to the room."),
        ("He lifts his left hand.", "He lifts his right foot."),
        ("He washes the tomato, then cuts it.", "First he washes the tomato, then he cuts it."),
        ("He washes it before he cuts it.", "He cuts it after he washes it."),
        ("He washes it, then cuts it.", "He cuts and washes it."),
        ("", "Two dogs."),
    ],
)
def test_it_stays_silent(a, b):
    assert find_conflicts(a, b) == []
    assert find_conflicts(b, a) == []


def test_a_conflict_quotes_both_sentences():
    assert find_conflicts("There are two white bowls.", "There are three white bowls.") == [
        Conflict(
            "number",
            "two white bowls",
            "three white bowls",
            "The numbers differ: “two white bowls” and “three white bowls”.",
        )
    ]


def test_two_write_ups_of_one_clip():
    kinds = []
    for part, text in ANNA.items():
        a, b = ([s.text for s in split_sentences(t)] for t in (text, BEN[part]))
        for pair in align_sentences(a, b):
            if pair.a is not None and pair.b is not None:
                kinds += [c.kind for c in find_conflicts(a[pair.a], b[pair.b])]
    assert kinds == ["colour", "side", "number", "side", "order"]


WORDS = ["one", "two", "2", "red", "blue", "left", "then", "before", "after", "the", "hand", "is"]


@given(st.text() | st.lists(st.sampled_from([*WORDS, ",", "."])).map(" ".join))
def test_a_sentence_never_contradicts_itself(text):
    assert find_conflicts(text, text) == []
