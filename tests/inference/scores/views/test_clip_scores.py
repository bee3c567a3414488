"""The scores of a clip's captions, and who reads them."""

from __future__ import annotations

import pytest
from django.urls import reverse

from inference.models import InferenceRun, QualityThreshold, RefineAttempt, RunItem
from tests.cast import client_of, count_queries
from tests.inference.cast import bare_recipe, make_model
from tests.inference.scored import make_clips, score, score_run, write
from tests.inference.segmented import make_run
from tests.markup import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def encoder(project):
    return make_model(project, "lexical")


@pytest.fixture
def run(project, encoder):
    return score_run(project, encoder)


@pytest.fixture
def clip(project):
    return make_clips(project, 2)[0]


def page(person, clip):
    return client_of(person).get(
        reverse("inference:clip_scores", args=[clip.project.slug, clip.pk])
    )


def test_a_score_is_shown_with_its_scorer_threshold_and_keywords(clip, run, rita):
    quality_score = score(clip, 0.15, run)
    text = page(rita, clip).text
    assert "A diver jumps." in text
    assert "0.150" in text
    assert "Under 0.2" in text
    assert "0.2, LoVR&#x27;s" in text or "0.2, LoVR's" in text
    assert "EVQAScore v3, lexical" in text
    assert "diver, pool" in text
    QualityThreshold.objects.create(
        project=clip.project, scorer=quality_score.scorer, scorer_name="", value=0.15
    )
    assert "Reaches 0.15" in squeezed(page(rita, clip).text)


def test_the_current_caption_has_a_badge(clip, run, rita):
    score(clip, 0.15, run)
    assert squeezed(page(rita, clip).text).count(">Current</span>") == 1


def test_what_is_out_of_date_says_why(clip, run, rita):
    quality_score = score(clip, 0.15, run)
    RunItem.objects.filter(pk=quality_score.item_id).update(stale_because="prompt")
    assert "The prompt was changed." in page(rita, clip).text


def test_a_refinement_is_a_chain(clip, run, encoder, rita):
    first = score(clip, 0.1, run)
    refine = make_run(clip.project)
    refine.kind = "refine"
    refine.recipe = bare_recipe("refine", scorer="", threshold=0.3, chain=[])
    refine.save()
    item = RunItem.objects.create(
        run=refine, clip=clip, position=1, key="r", state="done", note="0.400 at attempt 2"
    )
    better = write(clip, "A diver turns.")
    score(clip, 0.4, run, caption=better)
    better.parents.add(first.caption)
    RefineAttempt.objects.create(item=item, number=1, model=encoder, reason="Cut off.")
    RefineAttempt.objects.create(item=item, number=2, model=encoder, caption=better, score=0.4)
    response = page(rita, clip)
    (chain,) = response.context["chains"]
    assert [(attempt.number, attempt.score) for attempt in chain.attempts] == [(1, None), (2, 0.4)]
    assert "Cut off." in response.text
    assert "0.3 was needed. Outcome: 0.400 at attempt 2." in response.text
    assert "Measured draft, attempt 2" in response.text
    InferenceRun.objects.filter(pk=refine.pk).update(recipe=refine.recipe | {"threshold": "high"})
    text = page(rita, clip).text
    assert "can’t be read: Expected `float`, got `str` - at `$.threshold`. Outcome: 0.400" in text


def test_an_attempt_is_not_out_of_date_with_the_run_that_made_it(clip, run, rita):
    refined = RunItem.objects.create(
        run=make_run(clip.project), clip=clip, position=1, key="r", state="done",
        stale_because="model",
    )  # fmt: skip
    tried = score(clip, 0.1, run, item=refined)
    assert "Out of date" not in page(rita, clip).text
    RunItem.objects.filter(pk=refined.pk).update(result=tried.caption)
    assert "Out of date" in page(rita, clip).text


def test_an_unscored_caption_says_so(clip, rita):
    write(clip)
    assert "Not scored." in page(rita, clip).text


def test_who_may_not_read_the_caption_does_not_read_its_score(clip, run, anna, rita):
    score(clip, 0.15, run)
    assert "0.150" in page(rita, clip).text
    text = page(anna, clip).text
    assert "0.150" not in text
    assert "A diver jumps." not in text


def test_a_persons_own_caption_is_shown_with_its_score(clip, run, anna, ben):
    score(clip, 0.31, run, caption=write(clip, "Mine.", source="human", author=anna))
    score(clip, 0.32, run, caption=write(clip, "Yours.", source="human", author=ben))
    text = page(anna, clip).text
    assert ("Mine." in text, "Yours." in text) == (True, False)
    assert ("0.310" in text, "0.320" in text) == (True, False)


def test_more_captions_take_no_more_queries(clip, run, rita):
    counts = []
    client = client_of(rita)
    url = reverse("inference:clip_scores", args=[clip.project.slug, clip.pk])
    for number in range(1, 4):
        score(clip, number / 10, run)
        client.get(url)
        with count_queries() as count:
            client.get(url)
        counts.append(int(count))
    assert counts[0] == counts[2]


def test_the_page_of_the_clip_leads_here(clip, anna):
    html = client_of(anna).get(reverse("annotate:clip", args=[clip.project.slug, clip.pk])).text
    assert reverse("inference:clip_scores", args=[clip.project.slug, clip.pk]) in html
