"""The answer to a value that an admin tries: the same numbers as on the page that has it."""

import pytest
from django.urls import reverse

from review.reports.services import recompute
from review.threshold.services import adopt
from tests.cast import client_of, count_queries
from tests.review.threshold.studying import judge_sample, scored_captions, start_study

pytestmark = pytest.mark.django_db
VALUES = [n / 40 for n in range(40)]


@pytest.fixture
def scores(project):
    return scored_captions(project, VALUES)


@pytest.fixture
def url(project):
    return reverse("review:try_threshold", args=[project.slug])


@pytest.fixture
def page_url(project):
    return reverse("review:report_page", args=[project.slug, "threshold"])


def asked(scores, value, **more):
    return {"scorer": scores[0].scorer, "value": value, **more}


def test_it_says_what_the_page_says(project, scores, url, page_url, anna, ada):
    judge_sample(start_study(project, captions=40), anna, below=0.5)
    recompute(project=project, name="threshold")
    client = client_of(ada)
    [part] = client.get(page_url).context["parts"]
    report = part.estimated.report.pk
    for value in ("0", "0.201", "0,5", "1"):
        for counting in ("per_type", "per_sentence"):
            sent = asked(scores, value, report=report, counting=counting)
            [part] = client.get(page_url, sent).context["parts"]
            assert client.get(url, sent).context["trial"] == part.trial
    assert part.trial.choice.sampled == 40


def test_the_counts_come_beside_the_button(scores, url, ada):
    response = client_of(ada).get(url, asked(scores, "0.5"))
    short = scores[0].scorer[:8]
    assert f'id="trial-{short}"' in response.text
    assert f'id="counts-{short}" hx-swap-oob="true"' in response.text
    assert 'data-words="0.5: 20 kept, 20 sent back"' in response.text


@pytest.mark.parametrize("value", ["", "2", "-3", "0.2015", "high", "-"])
def test_what_is_no_threshold_is_refused_and_can_not_be_adopted(scores, url, ada, value):
    response = client_of(ada).get(url, asked(scores, value))
    assert response.status_code == 422
    assert response.context["trial"].errors
    assert "data-announced" in response.text
    assert "disabled" in response.text
    assert "Correct the value to count." in response.text


def test_the_current_threshold_is_not_adopted_again(project, scores, url, ada):
    adopt(project=project, scorer=scores[0].scorer, value=0.25, admin=ada)
    client = client_of(ada)
    response = client.get(url, asked(scores, "0.25"))
    assert "0.25 is the current threshold." in response.text
    assert "disabled" in response.text
    assert "disabled" not in client.get(url, asked(scores, "0.26")).text


def test_a_scorer_without_scores_is_refused(scores, url, ada):
    for sent in ({"scorer": "x", "value": "0.3"}, {"value": "0.3"}, {}):
        response = client_of(ada).get(url, sent)
        assert response.status_code == 422
        assert "This project has no scores from this scorer." in response.text


def test_it_takes_few_queries(scores, url, ada):
    client = client_of(ada)
    client.get(url, asked(scores, "0.3"))
    with count_queries() as count:
        client.get(url, asked(scores, "0.3"))
    assert int(count) <= 6
