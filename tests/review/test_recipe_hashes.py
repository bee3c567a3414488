"""The hashes of the recipes of work elsewhere and of CapST, as in tests/inference/planning."""

from __future__ import annotations

from datetime import date

import pytest

from inference.planning.recipes import hash_of, scorer_recipe
from inference.recipes import as_json, read_stored
from review.capst.queries import prompts_for
from review.capst.recipes import JudgeRecipe, extraction_recipe, make_judge, question_key
from review.capst.services import load_prompts
from review.elsewhere.statement import Statement, model_of, recipe_of
from review.elsewhere.vectors import _recipe as recipe_of_vectors
from tests.review.capst.capst_runs import server_model, word_overlap
from tests.review.capst.test_loaded_prompts import FILE

pytestmark = pytest.mark.django_db

STATED = Statement("A", "every:30", "Describe it.", "told", "v3", date(2026, 3, 1))


@pytest.mark.parametrize(
    ("kind", "stated", "expected"),
    [
        ("caption", STATED, "6af63b0501523b51"),
        ("caption", Statement("A"), "667c4d47b852d13b"),
        ("fuse", STATED, "df83f74dbe5224c8"),
        ("score", STATED, "be92c16fd073c451"),
    ],
)
def test_a_run_elsewhere_has_the_hash_of_earlier_imports(project, kind, stated, expected):
    recipe = recipe_of(project, kind, model_of(project, kind, "A"), stated)
    assert hash_of(recipe)[:16] == expected
    if kind == "score":
        assert hash_of(scorer_recipe(recipe))[:16] == "6b46933f7423444c"


def test_vectors_of_elsewhere_have_the_hash_of_earlier_imports(project):
    recipe = recipe_of_vectors(model_of(project, "embed", "A"), "clips", STATED)
    assert hash_of(recipe)[:16] == "3c313e36e388ed3e"


def test_a_judge_has_the_hashes_of_earlier_judges(project, ada):
    def hashes(model, preset="default"):
        judge = make_judge(model, prompts_for(project, preset))
        assert read_stored(as_json(judge), JudgeRecipe) == judge
        return [
            made[:16]
            for made in (hash_of(judge), extraction_recipe(judge, 5), question_key(judge, "x"))
        ]

    load_prompts(project=project, data=FILE, file_name="paper.json", admin=ada)
    server = server_model(project)
    assert hashes(word_overlap(project)) == [
        "e854c4134caddd22", "7b0cccd848a970f9", "3b37faf2b5b40bd2",
    ]  # fmt: skip
    assert hashes(server) == ["01395a0d0082c630", "5b6c27732c0a3d15", "6350b4a72d86a921"]
    assert hashes(server, "official") == [
        "5b4699fe7ab10822", "0f49fcbc100899ee", "833edf8f5801b8c0",
    ]  # fmt: skip
