"""The captions in which a score run by TF-IDF counts words."""

from __future__ import annotations

import pytest

from inference.models import InferenceRun
from inference.planning.options import ScoreOptions
from inference.runs.services import build_recipe
from tests.inference.cast import bare_recipe, make_model
from tests.inference.scored import make_clips, write

pytestmark = pytest.mark.django_db


def test_a_run_that_no_model_made_has_no_words_to_keep(project):
    """A simulated study stores its scores as a run that states no options of a scorer."""
    InferenceRun.objects.create(
        project=project, kind="score", recipe=bare_recipe("score"), recipe_hash="0", queue="cpu",
        state="done", has_results=True,
    )  # fmt: skip
    write(make_clips(project, 1)[0])
    recipe = build_recipe(
        project=project, kind="score", model=make_model(project, "lexical"), options=ScoreOptions()
    )
    assert recipe.counted == 1
