"""The list of clips, in a real browser: several at once, undone, saved views, and messages."""

import re

import pytest
from playwright.sync_api import expect

from annotate.models import SavedView, Tag
from tests.browser.looks import scrolls_sideways, widths

COVERED_CONTROLS = """() => {
  const message = document.querySelector("#toasts > li").getBoundingClientRect();
  const isCovered = (box) =>
    box.left < message.right && box.right > message.left &&
    box.top < message.bottom && box.bottom > message.top;
  return [...document.querySelectorAll("a, button, input, select, textarea, summary")]
    .filter((control) => !control.closest("#toasts") && control.checkVisibility())
    .filter((control) => isCovered(control.getBoundingClientRect()))
    .map((control) => control.outerHTML);
}"""


@pytest.fixture
def clips(project, make_playable_clip):
    names = ("bikes", "boats", "cats")
    return [make_playable_clip(project, original_name=f"{name}.mp4") for name in names]


def test_clips_are_selected_tagged_and_untagged_again(page_of, clips, ada, axe):
    page = page_of(ada)
    page.goto("/p/dives/corpus/?sort=name")
    page.get_by_label("Select bikes").check()
    page.get_by_label("Select cats").click(modifiers=["Shift"])
    expect(page.locator("[data-selected]")).to_have_text("3 selected")
    page.get_by_label("Select boats").uncheck()
    expect(page.locator("[data-selected]")).to_have_text("2 selected")
    check_selection_stays_when_the_list_changes(page)
    page.get_by_role("button", name="Change…").click()
    page.get_by_role("radio", name="Add a tag").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Tag", exact=True).fill("blurred")
    page.get_by_role("button", name="Show what changes").click()
    expect(page.get_by_role("heading", name="Add a tag: 2 clips")).to_be_visible()
    axe(page)
    for _ in widths(page):
        assert not scrolls_sideways(page)
    page.get_by_role("button", name="Add a tag").click()
    page.wait_for_url("**/corpus/changes/**")
    assert set(Tag.objects.get().clips.values_list("name", flat=True)) == {"bikes", "cats"}
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone on")).to_be_visible()
    assert not Tag.objects.exists()


def check_selection_stays_when_the_list_changes(page):
    selected = page.locator("[data-selected]")
    page.get_by_role("columnheader", name="Clip").get_by_role("link").click()
    expect(page).to_have_url(re.compile("descending"))
    expect(selected).to_have_text("2 selected")
    page.locator("#id_q").fill("cats")
    page.locator("#id_q").press("Enter")
    expect(selected).to_have_text("1 selected (1 not on this page is left out)")
    page.get_by_label("Select cats").uncheck()
    expect(selected).to_have_text("None selected (1 not on this page is left out)")
    page.get_by_role("link", name="Clear").click()
    expect(selected).to_have_text("1 selected")
    expect(page.get_by_label("Select bikes")).to_be_checked()
    page.get_by_label("Select cats").check()
    expect(selected).to_have_text("2 selected")


def test_a_saved_view_opens_the_list_and_its_message_covers_no_control(page_of, clips, ada):
    page = page_of(ada)
    page.goto("/p/dives/corpus/?q=bikes")
    page.locator("summary", has_text="Views").click()
    for _ in widths(page):
        menu = page.locator(".menu-panel:visible").bounding_box()
        assert menu["x"] >= 0
        assert menu["x"] + menu["width"] <= page.viewport_size["width"]
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_label("Name", exact=True).fill("Only bikes")
    page.get_by_label("Open the list with it").check()
    page.get_by_role("button", name="Save this view").click()
    message = page.locator("#toasts > li")
    expect(message).to_contain_text("Saved as Only bikes.")
    assert SavedView.objects.get().is_default
    for _ in widths(page):
        assert page.evaluate(COVERED_CONTROLS) == []
    page.evaluate("document.body.style.minHeight = '200vh'; scrollTo(0, 500)")
    expect(message).to_be_in_viewport(ratio=1)  # on a phone, too
    page.goto("/p/dives/corpus/")
    expect(page.get_by_role("link", name="bikes")).to_be_visible()
    expect(page.get_by_role("link", name="boats")).to_have_count(0)
