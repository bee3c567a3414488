"""Every kind and every setting has words for people."""

from dataclasses import fields

import pytest

from inference import words
from inference.models import RunItem
from inference.planning.options import OPTIONS
from inference.planning.recipes import first_change
from inference.recipes import read_recipe
from inference.registry import Role
from inference.runs.pages import TABS, recipe_words


def test_every_kind_of_run_is_described():
    assert list(words.KINDS) == list(OPTIONS)
    assert list(words.CAN) == list(Role)


@pytest.mark.parametrize("kind", OPTIONS)
def test_every_setting_has_a_label_and_every_choice_words(kind):
    presets = OPTIONS[kind]()
    assert [o.name for o in fields(presets) if o.name not in words.SETTINGS] == []
    for name, choices in presets.CHOICES.items():
        assert [choice for choice in choices if choice not in words.CHOICES[name]] == []


def test_no_words_are_left_of_a_choice_that_is_gone():
    choices: dict[str, set[str]] = {}
    for options in OPTIONS.values():
        for name, values in options.CHOICES.items():
            choices.setdefault(name, set()).update(values)
    assert {name: set(words) for name, words in words.CHOICES.items()} == choices


PLAIN_JOINER = {
    "spec": 1, "name": "Joiner", "backend": "plain-joiner", "model_id": "", "revision": "",
    "parameters": {},
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "because"),
    [
        ({"code": 2}, "code"),
        ({"model": PLAIN_JOINER | {"backend": "lexical"}}, "model"),
        ({"options": {"prompt": "x"}}, "prompt"),
        ({"options": {"sampling": {"kind": "every", "step": 2}}}, "sampling"),
        ({"options": {"seed": 1}}, "seed"),
        ({"options": {"tries": 2}}, "options"),
        ({"until": 7}, "words"),
        ({"threshold": 0.3}, "threshold"),
    ],
)
def test_every_reason_to_be_out_of_date_has_words(changed, because):
    before = {
        "kind": "refine", "code": 1, "model": PLAIN_JOINER, "options": {},
        "scorer": "a", "threshold": 0.2, "chain": [],
    }  # fmt: skip
    after = before | changed
    assert first_change(read_recipe(before), read_recipe(after)) == because
    assert because in words.WHY_STALE


def test_every_state_of_an_item_has_a_tab():
    never = {RunItem.State.UPLOADING}  # only files have bytes that arrive
    assert set(TABS) == {"", *RunItem.State.values} - never


def test_a_setting_of_an_old_recipe_is_shown_as_it_was():
    recipe = {"kind": "caption", "model": None, "options": {"frames_per_clip": 12}, "code": 1}
    assert recipe_words(read_recipe(recipe)) == [("Frames per clip", "12"), ("Code version", "1")]
