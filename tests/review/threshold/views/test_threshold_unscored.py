"""The page of the thresholds says which captions it doesn't count, and offers the run for them."""

from __future__ import annotations

import pytest
from django.urls import reverse

from inference.models import ModelSpec
from inference.planning.options import ScoreOptions
from inference.planning.recipes import hash_of, scorer_recipe
from inference.runs.services import build_recipe
from tests.cast import client_of
from tests.inference.scored import make_clips, write
from tests.review.threshold.studying import scored_captions

pytestmark = pytest.mark.django_db


def test_captions_without_a_score_are_counted_with_the_run_that_scores_them(project, ada):
    scored_captions(project, [n / 40 for n in range(40)])
    url = reverse("review:report_page", args=[project.slug, "threshold"])
    before = client_of(ada).get(url)
    assert "from this scorer yet" not in before.text
    first, second = make_clips(project, 2)
    write(first)
    write(second)
    write(second, "A person's text.", source="human")
    page = client_of(ada).get(url)
    [part] = page.context["parts"]
    assert (part.unscored, part.captions) == (1, 40)
    words = " ".join(page.text.split())
    assert "1 current machine caption has no score from this scorer yet" in words
    run = part.score_run
    assert f"?kind=score&amp;like={run.pk}&amp;model={run.model_id}" in page.text
    options = ScoreOptions.parse(run.recipe["options"])
    recipe = build_recipe(project=project, kind="score", model=run.model, options=options)
    assert hash_of(scorer_recipe(recipe)) == part.scorer


def test_captions_that_a_model_elsewhere_has_not_scored_ask_for_its_scores(project, ada):
    scored_captions(project, [n / 40 for n in range(4)])
    ModelSpec.objects.update(backend=ModelSpec.Backend.ELSEWHERE)
    [clip] = make_clips(project, 1)
    write(clip)
    page = client_of(ada).get(reverse("review:report_page", args=[project.slug, "threshold"])).text
    assert "1 current machine caption has no score from this scorer yet" in " ".join(page.split())
    assert page.count(reverse("review:import_results", args=[project.slug])) == 2
    assert "?kind=score" not in page
