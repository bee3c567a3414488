"""How many labels are enough, in a real browser: the chart, its numbers, and the rule."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from review.ratings.models import Rating
from review.reports.services import recompute
from tests.browser.looks import scrolls_sideways, widths_and_schemes
from tests.review.ratings.rating import describe, make_examples, open_study, train
from tests.work import hold

CAPTIONS = 40


@pytest.fixture
def study(project, anna):
    project.protocol = "lovr"
    project.save()
    describe(project, CAPTIONS)
    make_examples(project)
    train(anna, project)
    chance = random.Random(1)
    study = open_study(project, CAPTIONS)
    for sampled in study.captions.select_related("item", "caption")[:34]:
        Rating.objects.create(
            caption=sampled.caption,
            study=study,
            rater=anna,
            assignment=hold(anna, sampled.item),
            value=chance.choice((2, 3, 4, 4, 4, 5, 5)),
        )
    recompute(project=project, name="ratings")
    return study


def test_a_width_is_chosen_beside_the_interval_over_time(
    page_of, study, ada, axe, screenshot, console_errors
):
    console_errors.expect("422")
    page = page_of(ada)
    page.goto("/p/dives/precision/")
    expect(page.locator("svg.chart polygon.band")).to_have_count(1)
    page.get_by_text("Numbers", exact=True).click()
    expect(page.locator("figure tbody tr")).to_have_count(17)
    page.get_by_label("Interval at most this wide").fill("9")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Give a width above 0 and at most 5")).to_be_visible()
    expect(page.get_by_label("Interval at most this wide")).to_have_value("9")
    for _ in widths_and_schemes(page):
        axe(page)
        assert not scrolls_sideways(page)
    screenshot(page, "precision", full_page=True)
    page.get_by_label("Interval at most this wide").fill("0.8")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Enough at a width of 0.8")).to_be_visible()
    expect(page.get_by_role("cell", name="at a width of 0.8")).to_be_visible()
