"""The page Metrics in a real browser: tables with pictures, sorting, files, and a report's page."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from review.frozen.models import Release
from review.reports.services import recompute
from tests.browser.looks import scrolls_sideways, widths
from tests.cast import NO_PROOF
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
def url(project):
    return reverse("review:report_page", args=[project.slug, "metrics"])


def scrolling_widths(page) -> list[int]:
    scrolling = [width for width in widths(page) if scrolls_sideways(page)]
    page.set_viewport_size({"width": 1280, "height": 800})
    return scrolling


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


def test_tables_are_sorted_folded_out_downloaded_and_compared(
    page_of, project, rita, url, axe, screenshot
):
    fill(project, [LONG, "CARE", "Tarsier 7B"])
    page = page_of(rita)
    page.goto(url)
    assert scrolling_widths(page) == []
    screenshot(page, "metrics", full_page=True)
    check_sorted_table_stays_in_sight(page)
    check_downloads_categories_and_comparison(page, axe, screenshot)
    with page.expect_navigation():
        page.get_by_role("region", name="Events", exact=True).get_by_role(
            "link", name="30.0"
        ).first.click()
    expect(page.get_by_role("heading", name="Method")).to_be_visible()
    expect(page.locator("#signature")).to_contain_text("capst|subject:")
    axe(page)
    screenshot(page, "report", full_page=True)
    assert scrolling_widths(page) == []
    Release.objects.create(
        project=project, version="1.0.0", content_hash="0" * 64, clip_count=0, proof=NO_PROOF
    )
    check_release_without_numbers_says_what_to_do(page, project, axe, screenshot)


def check_sorted_table_stays_in_sight(page):
    table = page.get_by_role("region", name="Spatial and temporal captions, ReBias", exact=True)
    expect(table.get_by_role("row").nth(2)).to_contain_text(LONG)
    table.get_by_role("link", name="ReBias, S/T").click()
    expect(table.get_by_role("row").nth(2)).to_contain_text("Tarsier 7B")
    expect(table).to_be_in_viewport()


def check_downloads_categories_and_comparison(page, axe, screenshot):
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


def check_release_without_numbers_says_what_to_do(page, project, axe, screenshot):
    page.goto(reverse("review:report_page", args=[project.slug, "metrics", "1.0.0"]))
    expect(page.get_by_role("heading", name="No numbers for this release")).to_be_visible()
    axe(page)
    screenshot(page, "metrics-release", full_page=True)
