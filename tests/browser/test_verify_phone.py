"""Verifying on a phone, in a real browser."""

import pytest
from playwright.sync_api import expect

from annotate.models import WorkItem
from tests.browser.work_pages import open_work
from tests.hand_work import machine_caption
from tests.review.verification.verifying import CAPTION, hold_verification


@pytest.fixture
def held(project, make_playable_clip, anna):
    anna.name = "Anna Lindqvist-Hohenstaufen"
    anna.save()
    project.name = "A project with a rather long name"
    project.is_simulated = True
    project.save()
    return hold_verification(anna, machine_caption(make_playable_clip(project), CAPTION))


def box(page, selector):
    return page.locator(selector).bounding_box()


def boxes(page, selector):
    return page.locator(selector).evaluate_all("all => all.map(e => e.getBoundingClientRect())")


def check_what_is_in_view(page):
    """The header takes two lines whatever the names, and several sentences stand between the tools
    and the bar."""
    expect(page.locator("li.verify-row").first).to_be_focused()
    assert page.evaluate("scrollY") == 0
    assert (
        box(page, "h1")["y"]
        >= box(page, "[data-player]")["y"] + box(page, "[data-player]")["height"]
    )
    page.locator("li.verify-row").first.evaluate("(row) => row.scrollIntoView()")
    tools, bar = box(page, "#verify-tools"), box(page, ".work-bar")
    for row in boxes(page, "li.verify-row"):
        assert tools["y"] + tools["height"] <= row["top"] + 1
        assert row["bottom"] <= bar["y"]
    for button in boxes(page, "#verify-tools button:visible"):
        assert 0 <= button["left"] < button["right"] <= 390
    assert page.locator(".app-header").bounding_box()["height"] < 100
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def check_that_a_verdict_is_counted_and_undone_by_touch(page):
    page.get_by_role("button", name="ok").tap()
    verdict = page.get_by_label("Verdict of sentence 1")
    expect(verdict).to_have_value("ok")
    expect(page.locator(".verify-count")).to_be_visible()
    expect(page.locator(".verify-count")).to_have_text(
        "1 of 4 decided, theme not yet", use_inner_text=True
    )
    page.get_by_role("button", name="Undo").tap()
    expect(verdict).to_have_value("")


def check_that_a_correction_is_written_in_sight(page):
    page.locator("li.verify-row").first.focus()
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("a")
    expect(page.get_by_label("Corrected sentence")).to_be_focused()
    page.wait_for_timeout(300)
    text, bar = box(page, "#correction-0"), box(page, ".work-bar")
    assert text["y"] + text["height"] <= bar["y"]


def test_a_caption_is_verified_on_a_phone(page_of, anna, held):
    page = open_work(page_of, anna, held, width=390, height=844, has_touch=True)
    expect(page.locator("li.verify-row").first).to_be_focused()
    check_what_is_in_view(page)
    check_that_a_verdict_is_counted_and_undone_by_touch(page)
    check_that_a_correction_is_written_in_sight(page)
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    WorkItem.objects.update(state=WorkItem.State.CANCELLED)  # as when its study is stopped
    page.reload()
    expect(page.get_by_role("link", name="Back to my work")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
