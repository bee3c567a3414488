"""The page Metrics in a real browser: tables with pictures, sorting, files, and a report's page."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from review.frozen.models import Release
from review.reports.services import recompute
from tests.browser.looks import scrolls_sideways, widths
from tests.review.reports.computing import compute_as_asked
from tests.review.retrieval.vectors import three_clips
from tests.review.summary.metric_rows import (
    capst_of,
    composed_of,
    overlap_of,
    ratings_of,
    rebias_of,
    recall_of,
)

LONG = "InternVideo2-Stage2-1B-finetuned-on-a-very-long-data-set-name-224px-f4"
KINDS = ("general", "spatial", "temporal", "full_video")
CATEGORIES = {"Personal care": 6, "Socializing & relaxing": 9, "Sports": 12, "Household": 4}


def fill(project, names):
    for place, name in enumerate(names):
        share = 0.9 - 0.03 * place
        by_category = {key: max(0.02, share - n / 40) for key, n in CATEGORIES.items()}
        recall = recall_of(project, name, share, share - 0.1, kinds=KINDS, categories=by_category)
        rebias_of(project, recall, 10.0 + place)
        capst_of(project, name, share / 3, share / 2, categories=CATEGORIES, run=place)
        overlap_of(project, name)
    ratings_of(project, **{name: 1100.0 - 40 * place for place, name in enumerate(names)})
    composed_of(project, names[0])
    recompute(project=project, name="unified")


@pytest.fixture
def models(project):
    fill(project, [LONG, "CARE", "Tarsier 7B"])


@pytest.fixture
def url(project):
    return reverse("review:report_page", args=[project.slug, "metrics"])


def test_the_numbers_come_while_the_page_waits(page_of, project, rita, url, axe, screenshot):
    page = page_of(rita)
    page.goto(url)
    expect(page.get_by_role("heading", name="No numbers yet")).to_be_visible()
    axe(page)
    screenshot(page, "metrics-empty", full_page=True)
    three_clips(project)
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("They appear here when ready")).to_be_visible()
    for name in ("recall", "rebias", "capst", "overlap", "leaderboard", "map", "unified"):
        compute_as_asked(project, name)
    expect(page.get_by_role("heading", name="General captions")).to_be_visible()
    axe(page)


def test_tables_fold_out_are_downloaded_compared_and_lead_to_a_signature(
    page_of, project, models, rita, url, axe, screenshot
):
    page = page_of(rita)
    page.goto(url)
    screenshot(page, "metrics", full_page=True)
    with page.expect_download() as download:
        page.get_by_role("link", name="LaTeX of General captions").click()
    assert download.value.suggested_filename.startswith("dives-general-")
    page.get_by_text("Events by category", exact=True).click()
    expect(page.get_by_role("region", name="Events by category")).to_be_visible()
    axe(page)
    screenshot(page, "metrics-categories")
    page.get_by_label("Compared with").select_option(label="Tarsier 7B (32 frames, evenly spread)")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="Relative gap to Tarsier 7B")).to_be_visible()
    table = page.get_by_role("region", name="Events", exact=True)
    table.get_by_role("link", name="30.0").first.click()
    expect(page.get_by_role("heading", name="Method")).to_be_visible()
    expect(page.locator("#signature")).to_contain_text("capst|subject:")
    axe(page)
    screenshot(page, "report", full_page=True)


def test_a_table_is_sorted_and_stays_in_sight(page_of, project, models, rita, url):
    page = page_of(rita, java_script_enabled=False)
    page.goto(url)
    table = page.get_by_role("region", name="Spatial and temporal captions, ReBias", exact=True)
    expect(table.get_by_role("row").nth(2)).to_contain_text(LONG)
    table.get_by_role("link", name="ReBias, S/T").click()
    expect(table.get_by_role("row").nth(2)).to_contain_text("Tarsier 7B")
    expect(table).to_be_in_viewport()


def test_a_release_without_numbers_says_what_to_do(page_of, project, models, rita, axe, screenshot):
    Release.objects.create(project=project, version="1.0.0", content_hash="0" * 64, clip_count=0)
    page = page_of(rita)
    page.goto(reverse("review:report_page", args=[project.slug, "metrics", "1.0.0"]))
    expect(page.get_by_role("heading", name="No numbers for this release")).to_be_visible()
    axe(page)
    screenshot(page, "metrics-release", full_page=True)


def test_no_page_scrolls_sideways(page_of, project, rita, url, axe, screenshot):
    fill(project, [LONG, *(f"Model {n}" for n in range(3))])
    page = page_of(rita)
    page.goto(url)
    assert [width for width in widths(page) if scrolls_sideways(page)] == []
    axe(page)
    screenshot(page, "metrics-many", full_page=True)
    with page.expect_navigation():
        page.locator("a.metric").first.click()
    assert [width for width in widths(page) if scrolls_sideways(page)] == []
