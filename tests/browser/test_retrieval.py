"""mAP@K and the ranked clips of a query, in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Project
from tests.browser.looks import scrolls_sideways, widths
from tests.review.composed.retrieval import ask, report_of
from tests.review.reports.computing import compute_as_asked


@pytest.fixture
def project(project):
    Project.objects.filter(pk=project.pk).update(protocol="tfcovr")
    project.refresh_from_db()
    return project


@pytest.fixture
def queries(project, make_playable_clip):
    return ask(project, 2, make=make_playable_clip)


def playing(clip) -> bool:
    return clip.locator("video").evaluate("(video) => !video.paused")


def scrolling_widths(page) -> list[int]:
    scrolling = [width for width in widths(page) if scrolls_sideways(page)]
    page.set_viewport_size({"width": 1280, "height": 800})
    return scrolling


def test_the_numbers_come_while_the_page_waits(page_of, project, queries, rita, axe, screenshot):
    page = page_of(rita)
    page.goto(reverse("review:report_page", args=[project.slug, "retrieval"]))
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("They appear here when ready")).to_be_visible()
    axe(page)
    compute_as_asked(project, "map")
    expect(page.get_by_role("cell", name="50.00").first).to_be_visible()
    page.locator("summary", has_text="By TF-CoVR’s").click()
    axe(page)
    screenshot(page, "retrieval", full_page=True)
    page.get_by_role("link", name="mAP@5", exact=True).first.click()
    expect(page.get_by_role("columnheader", name="mAP@5", exact=True).first).to_have_attribute(
        "aria-sort", "descending"
    )
    check_no_table_widens_a_phone(page)
    page.get_by_text("Method", exact=True).click()
    page.get_by_role("button", name="Copy the signature").click()
    expect(page.get_by_role("button", name="the signature")).to_contain_text("ed the signature")


def check_no_table_widens_a_phone(page):
    summary = page.locator("summary", has_text="By TF-CoVR’s")
    fold = page.locator("details").filter(has=summary).last
    if fold.get_attribute("open") is None:
        summary.click()
    assert scrolling_widths(page) == []


def test_a_query_is_looked_at_by_pointer_and_by_keys(
    page_of, project, queries, rita, axe, screenshot
):
    report = report_of(project)
    page = page_of(rita)
    page.goto(reverse("review:retrieval_queries", args=[project.slug, report.pk]))
    axe(page)
    assert scrolling_widths(page) == []
    screenshot(page, "retrieval-queries", full_page=True)
    page.get_by_role("link", name="show with 2 somersaults").first.click()
    expect(page.get_by_role("heading", name="Query 1 of 2")).to_be_visible()
    axe(page)
    assert scrolling_widths(page) == []
    screenshot(page, "retrieval-query", full_page=True)
    # The other query's clip is as near as can be, and next to it the first target.
    expect(page.locator(".ranked > li").nth(0)).to_contain_text("Wrong")
    expect(page.locator(".ranked > li").nth(1)).to_contain_text("Right")
    check_clips_play_while_pointed_at(page)
    check_keys(page)
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    check_clips_play_when_pressed(page)


def check_clips_play_while_pointed_at(page):
    first, second = (page.locator("[data-ranked]").nth(place) for place in (0, 1))
    first.hover()
    expect(first).to_have_attribute("data-playing", "")
    page.wait_for_function("() => !document.querySelector('[data-ranked] video').paused")
    second.hover()
    expect(first).not_to_have_attribute("data-playing", "")
    assert not playing(first)
    page.mouse.move(0, 0)
    expect(second).not_to_have_attribute("data-playing", "")


def check_keys(page):
    first, second = (page.locator("[data-ranked]").nth(place) for place in (0, 1))
    first.focus()
    page.keyboard.press("Tab")
    expect(second).to_have_attribute("data-playing", "")
    page.keyboard.press("Enter")
    expect(second).not_to_have_attribute("data-playing", "")

    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Query 2 of 2")).to_be_visible()
    page.wait_for_load_state()  # the keys work from now on
    page.keyboard.press("Space")
    expect(page.locator("[data-loops]")).to_have_attribute("data-playing", "false")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="Query 1 of 2")).to_be_visible()


def check_clips_play_when_pressed(page):
    """With reduced motion nothing plays by itself, or because the pointer is over it."""
    expect(page.locator("[data-loops]")).to_have_attribute("data-playing", "false")
    clip = page.locator("[data-ranked]").first
    clip.hover()
    expect(clip).not_to_have_attribute("data-playing", "")
    clip.click()
    expect(clip).to_have_attribute("data-playing", "")
