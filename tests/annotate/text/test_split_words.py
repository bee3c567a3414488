"""The marked words of 240 labeled sentences: at least the reached precision and recall."""

import re
from collections import Counter
from pathlib import Path

import pytest

from annotate.text.split_checks import check_split

SENTENCES = Path(__file__).parent / "golden" / "split_words.txt"
SUMMARY = "This video shows a room."
KINDS = {"spatial": "motion", "temporal": "object"}


def labeled():
    """Yield half, field, sentence and the ranges that a person marked."""
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        half, field, marked = line.split("\t")
        sentence, ranges = "", set()
        for part in re.split(r"(\[[^\]]*\])", marked):
            word = part.strip("[]")
            if part.startswith("["):
                ranges.add((len(sentence), len(sentence) + len(word)))
            sentence += word
        yield half, field, sentence, ranges


def marked_words(field, sentence):
    text = f"{SUMMARY} {sentence}"
    fields = {"spatial": "", "temporal": "", field: text}
    offset = len(SUMMARY) + 1
    return {
        (start - offset, end - offset)
        for warning in check_split(**fields, stage_one=text, overview=SUMMARY)
        if warning.kind == KINDS[field]
        for start, end in warning.spans
    }


def test_half_of_the_sentences_are_held_out():
    counts = Counter((half, field) for half, field, _, _ in labeled())
    assert counts == {
        ("a", "spatial"): 70,
        ("a", "temporal"): 30,
        ("b", "spatial"): 70,
        ("b", "temporal"): 30,
        ("c", "spatial"): 20,
        ("d", "spatial"): 20,
    }


@pytest.mark.parametrize(
    ("half", "field", "precision", "recall"),
    [
        ("a", "spatial", 0.99, 0.95),
        ("a", "temporal", 0.99, 0.99),
        ("b", "spatial", 0.97, 0.99),
        ("b", "temporal", 0.89, 0.89),
        ("c", "spatial", 0.99, 0.77),
        ("d", "spatial", 0.99, 0.99),
    ],
)
def test_marks_are_as_good_as_measured(half, field, precision, recall):
    right = wrong = missed = 0
    for of_half, of_field, sentence, ranges in labeled():
        if (of_half, of_field) == (half, field):
            marks = marked_words(field, sentence)
            right += len(marks & ranges)
            wrong += len(marks - ranges)
            missed += len(ranges - marks)
    assert right / (right + wrong) >= precision
    assert right / (right + missed) >= recall


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("An opening leads out. A drawing of twisted roots is on the wall.", []),
        (
            "The man stands up, stretches and comes down the stairs.",
            ["stands", "stretches", "comes"],
        ),
        ("The road comes down from the hill and turns left.", []),
        ("A man opens a door. The door is open.", ["opens"]),
        ("She finished drawing. A framed drawing of a cat is next to her.", ["drawing"]),
        ("The dog, wet all over, dashes home. White dashes mark the road.", ["dashes"]),
    ],
)
def test_form_and_neighbors_decide(sentence, words):
    marks = sorted(marked_words("spatial", sentence))
    assert [sentence[start:end] for start, end in marks] == words
