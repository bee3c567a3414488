"""The keys of the Merge page before anything has the focus."""

from playwright.sync_api import expect

from tests.browser.work_pages import open_work
from tests.merge_work import BIKES_A, hold_merge


def test_the_keys_work_from_the_start(page_of, project, emil, anna, ben, make_playable_clip):
    held = hold_merge(make_playable_clip(project), emil, anna, ben)
    page = open_work(page_of, emil, held)
    first = page.locator("[name=overview-0-text]")
    page.keyboard.press("Alt+ArrowDown")
    expect(first).to_be_focused()
    page.reload()
    page.wait_for_selector("#save-state")
    page.keyboard.press("Alt+Digit1")
    expect(first).to_have_value(BIKES_A["overview"])
    expect(first).to_be_focused()
