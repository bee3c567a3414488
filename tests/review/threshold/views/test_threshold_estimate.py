"""The page of the thresholds once a study is judged, which all tests here read."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from annotate.models import User
from review.reports.models import Report
from review.reports.results import as_json
from review.reports.services import recompute
from review.studies.models import Study
from tests.cast import make_person, make_project
from tests.review.threshold.studying import judge_sample, scored_captions, start_study
from tests.review.threshold.views.test_threshold import VALUES, page, part_of, words_of
from tests.review.verification.verifying import ALL_OK, open_verification, verify
from tests.shared_world import kept_for_the_module
from tests.work import hold

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def judged(django_db_setup, django_db_blocker):
    with kept_for_the_module(django_db_blocker):
        project = make_project()
        anna = make_person("Anna", project, "annotator")
        for name, role in (("Ben", "annotator"), ("Ada", "admin")):
            make_person(name, project, role)
        scored_captions(project, VALUES)
        judge_sample(start_study(project, captions=40), anna, below=0.5)
        recompute(project=project, name="threshold")
        yield


@pytest.fixture
def report(judged, db) -> Report:
    return Report.objects.get()


@pytest.fixture
def study(judged, db) -> Study:
    return Study.objects.get()


@pytest.fixture
def ada(judged, db) -> User:
    return User.objects.get(name="Ada")


@pytest.fixture
def ben(judged, db) -> User:
    return User.objects.get(name="Ben")


@pytest.fixture
def url(report):
    return reverse("review:report_page", args=[report.project.slug, "threshold"])


def test_the_estimate_is_a_sentence(report, url, ada):
    words = words_of(page(ada, url))
    assert re.search(
        r"0\.49 95.{0,6}% interval 0\.\d\d to 0\.\d\d, from 40 captions that one person verified\.",
        words,
    )
    assert "have changed since" not in words


def test_the_page_says_that_labels_have_changed_since(report, study, ben, url, ada):
    caption = study.captions.select_related("caption").order_by("pk")[0].caption
    verify(hold(ben, open_verification(caption, people=2)), caption, ALL_OK)
    assert "have changed since" in page(ada, url).text


def test_the_rule_and_the_counting_are_chosen_by_links(report, url, ada):
    part = part_of(ada, url)
    assert part.estimated.estimate.rule == "change_point"
    response = page(ada, url, rule="youden", counting="per_sentence")
    [part] = response.context["parts"]
    assert as_json(part.estimated.estimate) == report.result["per_sentence"]["rules"]["youden"]
    assert "?rule=target_error_rate&amp;counting=per_sentence" in response.text
    assert part_of(ada, url, rule="none", counting="none").estimated.estimate.rule == (
        "change_point"
    )


def test_signature_and_correlations_are_shown(report, url, ada):
    response = page(ada, url)
    assert report.signature in response.text
    assert "Spearman's rho −0.87 AUC 1.00 Errors below 1.00 Errors above 0.00" in words_of(response)


def test_the_slider_starts_at_the_estimate_and_shows_what_is_asked_for(report, url, ada):
    assert part_of(ada, url).offered == 0.49
    part = part_of(ada, url, scorer=report.subject, value="0.301")
    choice = part.trial.choice
    assert (part.offered, choice.sample_kept, choice.flagged) == (0.301, 27, 13)
    assert (choice.missed, choice.false_alarms) == (7, 0)
    assert (choice.kept, choice.back) == (27, 13)  # what the study corrected is only proposed


def test_an_invalid_threshold_comes_back_with_what_to_do(report, url, ada):
    for value in ("-1.1", "2", "high", "", "nan", "0.1234"):
        response = page(ada, url, scorer=report.subject, value=value)
        assert response.status_code == 422, value
        assert "Nothing changed." in response.text
        assert 'aria-invalid="true"' in response.text
