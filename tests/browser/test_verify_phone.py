"""Verifying on a phone, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.work_pages import open_work
from tests.hand_work import machine_caption
from tests.review.verification.verifying import CAPTION, hold_verification


@pytest.fixture
def page(page_of, project, make_playable_clip, anna):
    anna.name = "Anna Lindqvist-Hohenstaufen"
    anna.save()
    project.name = "A project with a rather long name"
    project.is_simulated = True
    project.save()
    held = hold_verification(anna, machine_caption(make_playable_clip(project), CAPTION))
    return open_work(page_of, anna, held, width=390, height=844, has_touch=True)


def box(page, selector):
    return page.locator(selector).bounding_box()


def test_the_header_takes_two_lines_whatever_the_names(page):
    assert box(page, ".app-header")["height"] < 100
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_every_tool_is_in_view(page):
    for button in page.locator("#verify-tools button:visible").all():
        place = button.bounding_box()
        assert 0 <= place["x"] < place["x"] + place["width"] <= 390


def test_a_verdict_is_undone_by_touch(page):
    expect(page.locator("li.verify-row").first).to_be_focused()
    page.get_by_role("button", name="ok").tap()
    verdict = page.get_by_label("Verdict of sentence 1")
    expect(verdict).to_have_value("ok")
    page.get_by_role("button", name="Undo").tap()
    expect(verdict).to_have_value("")


def test_the_bar_says_how_many_are_decided(page):
    expect(page.locator("li.verify-row").first).to_be_focused()
    page.get_by_role("button", name="ok").tap()
    expect(page.locator(".verify-count")).to_be_visible()
    expect(page.locator(".verify-count")).to_have_text(
        "1 of 4 decided, theme not yet", use_inner_text=True
    )


def test_several_sentences_stand_between_the_tools_and_the_bar(page):
    page.wait_for_function("() => scrollY > 0")
    tools, bar = box(page, "#verify-tools"), box(page, ".work-bar")
    for row in page.locator("li.verify-row").all():
        place = row.bounding_box()
        assert tools["y"] + tools["height"] <= place["y"] + 1
        assert place["y"] + place["height"] <= bar["y"]


def test_a_correction_is_written_in_sight(page):
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("a")
    expect(page.get_by_label("Corrected sentence")).to_be_focused()
    page.wait_for_timeout(300)
    text, bar = box(page, "#correction-0"), box(page, ".work-bar")
    assert text["y"] + text["height"] <= bar["y"]
