"""The hash of each kind's recipe. A hash that changes makes all results of its kind out of date, so
it may only change with a number in CODE_VERSIONS.
"""

from __future__ import annotations

import json
import re

import pytest

from annotate.errors import Refused
from inference.planning.options import OPTIONS
from inference.planning.recipes import hash_of, scorer_recipe
from inference.recipes import as_json, read_recipe
from inference.runs.services import build_recipe
from tests.inference.cast import make_model

pytestmark = pytest.mark.django_db

PROMPT = {"prompt": "Describe it.", "system": ""}
JOINS = {"prompt": "{first} {second}", "system": ""}


def recipe_of(project, kind, backend="", **options):
    model = make_model(project, backend) if backend else None
    chosen = OPTIONS[kind].parse(options)
    recipe = build_recipe(project=project, kind=kind, model=model, options=chosen)
    assert read_recipe(json.loads(json.dumps(as_json(recipe)))) == recipe
    return recipe


@pytest.mark.parametrize(
    ("kind", "backend", "options", "expected"),
    [
        ("segment", "", {}, "b26b0f316aa095f0"),
        ("theme", "opencv-draft", PROMPT, "f9f0553d629c3c22"),
        ("caption", "opencv-draft", PROMPT, "f33d5427d83bada0"),
        ("embed", "lexical", {}, "c8f4848965d4e789"),
        ("embed", "lexical", {"of": "spatial"}, "d0f2eca9369f046a"),
        ("fuse", "plain-joiner", JOINS, "e1df333b48aa9a4f"),
    ],
)
def test_a_run_has_the_hash_of_earlier_runs(project, kind, backend, options, expected):
    assert hash_of(recipe_of(project, kind, backend, **options))[:16] == expected


@pytest.mark.parametrize(
    ("kind", "options", "expected", "scorer"),
    [
        ("score", {}, "52f9955e7c64e1bd", "1ac1ec41ab7e701b"),
        ("score", {"of": "full_video"}, "60a69f82fd3a1d9d", "d4c3f5ba560cd080"),
        ("refine", PROMPT, "d802a3aaa78859cf", "1ac1ec41ab7e701b"),
    ],
)
def test_a_run_that_scores_has_the_hash_of_earlier_runs(project, kind, options, expected, scorer):
    make_model(project, name="Writer", refine_order=1)
    recipe = recipe_of(project, kind, "lexical", **options)
    assert [hash_of(part)[:16] for part in (recipe, scorer_recipe(recipe))] == [expected, scorer]


def test_a_run_with_keywords_by_a_model_has_the_hash_of_earlier_runs(project, settings):
    settings.VERICAP_MODEL_SERVERS = {"here": object()}
    # The options name its key.
    words = make_model(
        project, "openai-compatible", pk=9001, model_id="A", parameters={"server": "here"}
    )
    recipe = recipe_of(project, "score", "lexical", keyword_model=words.pk)
    assert [hash_of(part)[:16] for part in (recipe, scorer_recipe(recipe))] == [
        "3991290d562ce46b",
        "0986f840ebaffad4",
    ]


@pytest.mark.parametrize(
    ("change", "field"),
    [({"code": "2"}, "`$.code`"), ({"model": {"spec": 1}}, "`name` - at `$.model`")],
)
def test_a_recipe_that_cannot_be_read_names_the_field(project, change, field):
    stored = as_json(recipe_of(project, "embed", "lexical")) | change
    with pytest.raises(Refused, match=re.escape(field)):
        read_recipe(stored)


def test_an_option_that_cannot_be_read_names_itself(project):
    recipe = recipe_of(project, "embed", "lexical")
    stored = as_json(recipe) | {"options": {"sampling": {"kind": "middle", "count": 0}}}
    with pytest.raises(Refused, match=r"needs 'count'.* at `\$\.sampling`"):
        _ = read_recipe(stored).stated
