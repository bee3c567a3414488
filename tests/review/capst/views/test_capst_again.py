"""Judging again by the button of the page CapST, and the hints that lead to it."""

import pytest
from django.urls import reverse

from inference.models import ModelSpec
from review.capst.models import CapstRun
from review.elements.models import Extraction
from review.reports.models import Report
from review.reports.services import recompute
from tests.cast import client_of, make_project
from tests.review.capst.capst_runs import (
    PREDICTION,
    described_clip,
    judge,
    predictions,
    start,
    word_overlap,
)
from tests.review.reports.addresses import address

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept):
    project = make_project()
    captions = predictions(project, "Model A <b>", {described_clip(project): PREDICTION})
    run = judge(run=start(project, captions, word_overlap(project)))
    recompute(project=project, name="capst")
    return {"project": project, "run": run}


@pytest.fixture
def run(shared):
    return shared["run"]


@pytest.fixture
def stale(run, anna):
    parent = Extraction.objects.get(caption__kind="temporal", kind="events")
    Extraction.objects.create(
        caption=parent.caption, kind="events", elements=["A cut"], author=anna, parent=parent,
        recipe=parent.recipe, method=parent.method,
    )  # fmt: skip
    return run


def page_of(person, project, name="capst", *args) -> str:
    return client_of(person).get(address(name, project, *args)).text


def judge_again(person, project):
    url = reverse("review:rerun_outdated", args=[project.slug])
    return client_of(person).post(url, {"preset": "official"}, follow=True)


def test_nothing_is_offered_while_nothing_is_stale(project, run, ada):
    assert "Judge again" not in page_of(ada, project)
    response = judge_again(ada, project)
    assert "No result is older than its lists" in response.text
    assert CapstRun.objects.count() == 1


def test_the_page_says_what_is_older_than_its_lists(project, stale, ada, rita):
    page = page_of(ada, project)
    assert "1 result is older than its lists of elements" in page
    assert "Model A &lt;b&gt; (default): 1 clip" in page
    assert "Judge again (1)</button>" in page
    page = page_of(rita, project)
    assert "1 result is older than its lists" in page
    assert "Judge again (1)" not in page
    assert "An admin can judge it again here." in page


def test_the_button_starts_the_runs_and_comes_back(project, stale, ada):
    response = judge_again(ada, project)
    assert response.redirect_chain[-1][0].endswith("/capst/?preset=official")
    assert "1 result is being judged again." in response.text
    assert "Judge again (1)" not in response.text
    again = CapstRun.objects.latest("pk")
    assert (again.caption_set, again.judge) == (stale.caption_set, stale.judge)
    judge(run=again)
    recompute(project=project, name="capst")
    assert 'badge warn">old' not in page_of(ada, project)


def test_captions_that_can_not_be_judged_are_named(project, stale, ada):
    ModelSpec.objects.update(is_active=False)
    text = judge_again(ada, project).text
    assert "Word overlap is no longer in use" in text
    assert "being judged again" not in text


def test_an_old_row_leads_to_the_button(project, stale, rita):
    assert page_of(rita, project).count('href="#stale">Judge again</a>') == 3  # 2 tables, the list


def test_metrics_and_the_report_lead_to_the_button(project, stale, rita):
    capst = reverse("review:report_page", args=[project.slug, "capst"])
    link = f'href="{capst}#stale">Judge again on the page'
    assert link in page_of(rita, project, "metrics")
    report = Report.objects.get(name="capst")
    assert link in page_of(rita, project, "reports", report.pk)
    judge(run=start(project, stale.caption_set, stale.judge))
    recompute(project=project, name="capst")
    newest = Report.objects.filter(name="capst").latest("pk")
    assert "Judge again" not in page_of(rita, project, "metrics")
    assert "Judge again" not in page_of(rita, project, "reports", newest.pk)


def test_where_recomputing_is_enough_no_button_is_offered(project, run, rita):
    run.items.get().clip.video.__class__.objects.update(category="Sports")
    page = page_of(rita, project, "metrics")
    assert 'badge warn">old' in page
    assert "Judge again" not in page
