"""The page of the thresholds: what it shows of the scores, and adopting another value."""

from __future__ import annotations

import pytest
from django.urls import reverse

from inference.models import QualityThreshold
from inference.score_pages import threshold_context
from tests.cast import client_of, count_queries
from tests.inference.cast import make_model
from tests.inference.scores import OTHER, make_clips, score, score_run, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def encoder(project):
    return make_model(project, "lexical")


@pytest.fixture
def run(project, encoder):
    return score_run(project, encoder)


@pytest.fixture
def url(project):
    return reverse("inference:threshold", args=[project.slug])


def adopt(person, url, scorer, value):
    return client_of(person).post(url, {"scorer": scorer, "value": value})


def test_without_scores_it_says_what_to_do(url, ada):
    response = client_of(ada).get(url)
    assert "No scores yet" in response.text
    assert "?kind=score" in response.text


def test_it_counts_what_is_scored_newest_and_under_the_threshold(project, run):
    low, high, people = make_clips(project, 3)
    score(low, 0.15, run)
    score(low, 0.1, run)
    score(high, 0.2, run)
    score(people, -0.3, run, caption=write(people, source="human"))
    (row,) = threshold_context(project)["rows"]
    assert (row.scored, row.newest, row.under, row.to_refine) == (4, 3, 2, 1)
    ranges = [(found.start, found.captions, found.newest) for found in row.chart.ranges]
    assert ranges == [(-0.3, 1, 1), (0.1, 1, 1), (0.15, 1, 0), (0.2, 1, 1)]


def test_the_papers_threshold_holds_until_one_is_adopted(project, run, url, ada):
    scorer = score(make_clips(project, 1)[0], 0.1, run).scorer
    assert "LoVR's 0.2 holds until you adopt another one." in client_of(ada).get(url).text
    assert adopt(ada, url, scorer, "0.6").status_code == 302
    text = client_of(ada).get(url).text
    assert "LoVR's 0.2" not in text
    assert "Adopted by Ada" in text
    assert "threshold 0.6</text>" in text


def test_one_scorer_is_adopted_for_and_the_other_left(project, run, url, ada):
    first, second = make_clips(project, 2)
    scorer = score(first, 0.1, run).scorer
    score(second, 0.4, run, scorer=OTHER)
    adopt(ada, url, scorer, "0.05")
    rows = {row.scorer: row for row in threshold_context(project)["rows"]}
    assert (rows[scorer].threshold, rows[scorer].under) == (0.05, 0)
    assert (rows[OTHER].threshold, rows[OTHER].under) == (0.2, 0)


@pytest.mark.parametrize("value", ["-1.1", "2", "high", "", "nan"])
def test_what_is_no_threshold_comes_back_with_the_mend(project, run, url, ada, value):
    scorer = score(make_clips(project, 1)[0], 0.1, run).scorer
    response = adopt(ada, url, scorer, value)
    assert response.status_code == 422
    assert "Nothing was adopted." in response.text
    assert 'aria-invalid="true"' in response.text
    assert not QualityThreshold.objects.exists()


def test_an_unknown_scorer_is_refused(project, run, url, ada):
    score(make_clips(project, 1)[0], 0.1, run)
    response = adopt(ada, url, OTHER, "0.3")
    assert response.status_code == 422
    assert "This project has no scores of this scorer." in response.text


def test_who_is_no_admin_adopts_nothing(project, run, url, rita, olaf):
    scorer = score(make_clips(project, 1)[0], 0.1, run).scorer
    assert adopt(rita, url, scorer, "0.3").status_code == 403
    assert adopt(olaf, url, scorer, "0.3").status_code == 404
    assert not QualityThreshold.objects.exists()


def test_scores_far_beyond_one_have_few_ranges(project, run):
    first, second = make_clips(project, 2)
    score(first, -0.2, run)
    score(second, 5.9, run)
    (row,) = threshold_context(project)["rows"]
    assert [(r.start, r.end, r.captions) for r in row.chart.ranges] == [
        (-0.5, 0.0, 1), (5.5, 6.0, 1),
    ]  # fmt: skip


def test_more_scorers_captions_and_thresholds_take_no_more_queries(project, run, url, ada):
    clips = make_clips(project, 3)
    client = client_of(ada)

    def asked(number: int) -> int:
        scorer = score(clips[number], 0.1, run, scorer=str(number) * 64).scorer
        adopt(ada, url, scorer, "0.3")
        with count_queries() as count:
            client.get(url)
        return int(count)

    asked(0)
    assert asked(1) == asked(2)


def test_runs_and_refine_lead_here(project, run, url, ada):
    make_model(project, "opencv-draft", name="Writer", refine_order=1)
    for page in (
        reverse("inference:runs", args=[project.slug]),
        reverse("inference:run", args=[project.slug, run.pk]),
        reverse("inference:new_run", args=[project.slug]) + "?kind=refine",
    ):
        assert f'href="{url}"' in client_of(ada).get(page).text
