"""What survived of a text, what is contradicted, and what its writer left out. Pure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotate.text.camera import camera_details
from annotate.text.parts import PARTS, join_parts
from review.coach.comparing import Category, Comparison, Fate, compare_texts, summarize

FIXTURES = Path(__file__).parents[3] / "fixtures" / "captions"
OWN = (
    "Two dogs run across the field. A man in a red shirt throws a ball with his left hand. "
    "The sky is cloudy. The man claps."
)
FINAL = (
    "Three dogs run across the field. A man in a blue shirt throws a ball with his left hand. "
    "Four green benches stand on the right side. The camera follows the dogs. The man claps."
)


def missed(comparison: Comparison) -> dict[str, tuple[int, tuple[str, ...]]]:
    return {
        str(category): (missing.of, missing.phrases)
        for category, missing in comparison.missing.items()
    }


def test_by_hand():
    """The dogs and the shirt are contradictions and not gaps. "Left" is in both texts. The writer's
    text has neither the benches nor the camera."""
    comparison = compare_texts(OWN, FINAL)
    assert comparison.fates == (Fate.EDITED, Fate.EDITED, Fate.LEFT_OUT, Fate.KEPT)
    assert comparison.lines[2:5] == (
        ("The sky is cloudy.", ""),
        ("", "Four green benches stand on the right side."),
        ("", "The camera follows the dogs."),
    )
    pairs = [
        (contradiction.kind, contradiction.a_text, contradiction.b_text)
        for contradiction in comparison.contradictions
    ]
    assert pairs == [
        ("number", "Two dogs run", "Three dogs run"),
        ("colour", "red shirt throws", "blue shirt throws"),
    ]
    assert missed(comparison) == {
        "number": (2, ("Four green benches stand",)),
        "side": (2, ("right side",)),
        "colour": (2, ("green benches stand",)),
        "camera": (1, ("The camera follows the dogs.",)),
    }


def test_equal_texts_and_empty_ones():
    same = compare_texts(FINAL, FINAL)
    assert set(same.fates) == {Fate.KEPT}
    assert (same.contradictions, same.missed) == ((), 0)
    nothing = compare_texts(OWN, "")
    assert set(nothing.fates) == {Fate.LEFT_OUT}
    assert compare_texts("", FINAL).missed == sum(
        missing.of for missing in compare_texts("", FINAL).missing.values()
    )


def test_a_detail_in_another_sentence_is_no_gap():
    comparison = compare_texts("She sits. Next to her lie two red cups.", "Two red cups lie there.")
    assert comparison.missed == 0


@pytest.mark.parametrize(
    ("sentence", "values"),
    [
        ("The camera follows the diver from the side.", {"follow", "side"}),
        ("It zooms in on the pan.", {"zoom", "pan"}),
        ("The footage is shaky.", {"shaking"}),
        ("A camera lies on the table.", {"camera"}),
        ("He fries an egg in a pan.", None),
        ("The shot put lands.", None),
    ],
)
def test_sentences_about_the_camera(sentence, values):
    details = camera_details(sentence)
    assert [detail.values for detail in details] == ([] if values is None else [values])


def test_texts_add_up():
    edited, equal = compare_texts(OWN, FINAL), compare_texts(FINAL, FINAL)
    summary = summarize([edited, equal])
    assert (summary.texts, summary.sentences) == (2, 9)
    assert summary.fates == {Fate.KEPT: 6, Fate.EDITED: 2, Fate.LEFT_OUT: 1}
    assert summary.contradictions == {"number": 1, "colour": 1}
    assert summary.missing[Category.NUMBER] == (1, 4)
    assert summarize([]).sentences == 0


def test_the_demos_write_ups_against_their_merge():
    """Read by hand against `fixtures/captions/bikes.json`: the blue and the orange sign, the yellow
    flower, the pannier, the white tyre and the two vehicles are Ben's alone, the TAXI sign's color,
    the green railing, the six shots, the top right and the camera Anna's. Three of the phrases for
    Ben are no gaps to a reader: he has a sign in red, a green fence, and a car that comes after."""
    texts = json.loads((FIXTURES / "bikes.json").read_text())
    final = join_parts({part: texts["merged"][part] for part in PARTS})
    anna, ben = (
        compare_texts(join_parts({part: text[part] for part in PARTS}), final)
        for text in texts["write_ups"]
    )
    assert [[comparison.count(fate) for fate in Fate] for comparison in (anna, ben)] == [
        [5, 5, 4],
        [0, 8, 9],
    ]
    assert anna.contradictions == ben.contradictions == ()
    assert missed(anna) == {
        "number": (3, ("two vehicles rush past",)),
        "side": (6, ()),
        "colour": (
            17,
            ("blue sign", "orange sign", "yellow flower", "grey pannier", "white tyre leans"),
        ),
        "camera": (2, ()),
    }
    assert missed(ben) == {
        "number": (3, ("six short shots", "one follows")),
        "side": (6, ("top",)),
        "colour": (17, ("white sign", "red letters TAXI sits", "green railing")),
        "camera": (
            2,
            (
                "The camera hardly moves, except for a slow glide in the fifth shot, and the cuts "
                "are quick.",
                "The viewpoint changes from high above to the height of the pavement.",
            ),
        ),
    }
