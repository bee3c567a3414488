"""The page Jobs in a real browser: the list, one job with its failures, canceling and resuming."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from annotate.errors import ItemFailed
from annotate.jobs import kinds
from tests.annotate.jobs.cast import Counting, start_counting, work_through
from tests.browser.test_caption_sets import fits


def refuse_above_three(number: int) -> None:
    if number > 3:
        raise ItemFailed("odd" if number % 2 else "even", f"{number} can't be counted. Skip it.")


@pytest.fixture
def jobs(project, monkeypatch):
    """One that stopped, one with failures, one that is done, and one that waits."""
    counting = Counting()
    monkeypatch.setitem(kinds._REGISTERED, counting.name, counting)
    counting.on_item = refuse_above_three
    stopped = work_through(start_counting(project, numbers=0))
    failed = work_through(start_counting(project, numbers=9))
    counting.on_item = lambda number: None
    done = work_through(start_counting(project, numbers=30))
    return stopped, failed, done, start_counting(project)


def test_jobs_are_listed_and_one_says_what_failed(page_of, ada, jobs, axe, screenshot):
    page = page_of(ada)
    check_no_page_scrolls_sideways_on_a_phone(page, jobs)
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    axe(page)
    screenshot(page, "jobs", full_page=True)
    page.get_by_role("link", name=f"Count {jobs[1].pk}", exact=True).click()
    expect(page.get_by_role("heading", name="6 failed")).to_be_visible()
    axe(page)
    screenshot(page, "job", full_page=True)
    page.locator("#retry-odd").click()
    expect(page.get_by_text("Retrying 3.")).to_be_visible()
    page.get_by_role("button", name="Cancel the job…").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel the job").click()
    expect(page.get_by_text("Canceled. 3 left out")).to_be_visible()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()


def check_no_page_scrolls_sideways_on_a_phone(page, jobs):
    page.set_viewport_size({"width": 390, "height": 800})
    for job in jobs[:2]:
        page.goto(f"/p/dives/jobs/{job.pk}/")
        expect(page.get_by_role("heading", name=re.compile("Count"))).to_be_visible()
        assert fits(page)
    page.goto("/p/dives/jobs/")
    assert fits(page)
    page.set_viewport_size({"width": 1280, "height": 800})
