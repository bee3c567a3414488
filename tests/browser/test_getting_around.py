"""The sidebar and the switcher with keyboard and phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotate.models import Project
from annotate.search.services import index_for_a_minute
from tests.browser.looks import scrolls_sideways, widths, widths_and_schemes
from tests.cast import make_clip
from tests.hand_work import machine_caption

HOME = "/p/dives/corpus/"


@pytest.fixture
def clip(project, console_errors):
    console_errors.expect("404")  # its video has no poster
    clip = make_clip(project, original_name="high_dive.mp4")
    text = "A woman in a dark swimsuit waits on the platform. " * 4 + "Her takeoff is late."
    machine_caption(clip, text)
    index_for_a_minute()
    return clip


def fits(element):
    return element.evaluate("(element) => element.scrollWidth <= element.clientWidth")


def test_the_switcher_goes_by_keyboard_to_a_clip(page_of, ada, clip, axe, screenshot):
    page = page_of(ada)
    page.goto(HOME)
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Page, clip, caption, person, run or project")
    expect(field).to_be_focused()
    field.press_sequentially("dive")
    expect(page.get_by_role("option", name="high_dive")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ControlOrMeta+a")
    field.press_sequentially("le")
    options = page.locator("#switcher").get_by_role("option")
    expect(options.first).to_contain_text("Le")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    chosen = options.nth(1).get_attribute("id")
    expect(field).to_have_attribute("aria-activedescendant", chosen)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    field.fill("takeoff")
    caption = page.get_by_role("option").filter(has_text="takeoff")
    for _ in widths_and_schemes(page):
        axe(page)
        assert fits(page.locator("#switcher-results"))
        # The name has one line and the caption a few.
        assert caption.locator("bdi").bounding_box()["height"] < 30
        assert caption.bounding_box()["height"] < 150
    screenshot(page, "find")
    page.goto(f"{HOME}../find/?q=takeoff")
    for _ in widths(page):
        assert not scrolls_sideways(page)
        assert page.get_by_role("link", name="high_dive").bounding_box()["height"] < 50
    screenshot(page, "find-page")
    page.goto(HOME)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")
    expect(page.locator("#switcher")).to_be_hidden()
    page.get_by_role("link", name="Find").click()
    field.fill("dive")
    expect(page.get_by_role("option", name="high_dive")).to_be_visible()
    # Safari sends the Enter that ends a composition with the code 229: it opens nothing.
    field.dispatch_event("keydown", {"key": "Enter", "keyCode": 229, "bubbles": True})
    expect(field).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="high_dive")).to_be_visible()


def test_the_drawer_of_a_phone_keeps_the_focus_and_escape_closes_it(page_of, ada, clip, axe):
    page = page_of(ada, width=390, height=844)
    page.goto(HOME)
    opener = page.get_by_role("button", name="Menu")
    opener.click()
    expect(page.get_by_role("link", name="Clips")).to_be_focused()
    for _ in widths_and_schemes(page):
        axe(page)
    page.set_viewport_size({"width": 390, "height": 844})
    if not page.locator("#sidebar").is_visible():  # it closes where it lies beside the page
        opener.click()
    for _ in range(page.locator("#sidebar").locator("a, button, summary").count() + 5):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "['BODY', 'HTML'].includes(document.activeElement.tagName)"
            " || !!document.activeElement.closest('#sidebar')"
        )
    page.get_by_role("link", name="Clips").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#sidebar")).to_be_hidden()
    expect(opener).to_be_focused()
    page.set_viewport_size({"width": 320, "height": 844})
    icons = page.locator(".app-header .icon:visible")
    assert {icon.bounding_box()["width"] for icon in icons.all()} == {16}


def test_what_is_hidden_and_open_stays_so_without_a_shift(page_of, project, ada, clip):
    Project.objects.filter(pk=project.pk).update(protocol="lovr")
    page = page_of(ada)
    page.goto(HOME)
    page.locator(".sidebar summary", has_text="Quality").click()
    page.get_by_role("link", name="People", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="People")).to_be_visible()
    expect(page.get_by_role("link", name="Agreement")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("#sidebar")).to_be_hidden()
    page.goto(HOME)
    expect(page.locator("#sidebar")).to_be_hidden()
    assert page.evaluate("document.querySelector('main').getBoundingClientRect().left") == 0
