"""The keys of the Merge page: one a row, from the start."""

from playwright.sync_api import expect

from tests.browser.work_pages import open_work
from tests.merge_work import BIKES_A, hold_merge

IN_VIEW = """() => {
  const { top, bottom } = document.activeElement.getBoundingClientRect();
  return top >= 0 && bottom <= document.querySelector(".work-bar").getBoundingClientRect().top;
}"""


def test_one_key_takes_a_sentence_and_brings_the_next_row_into_view(
    page_of, project, emil, anna, ben, make_playable_clip
):
    page = open_work(page_of, emil, hold_merge(make_playable_clip(project), emil, anna, ben))
    rows = page.locator("#work-form [data-row]")
    expect(rows.first).to_be_focused()
    for _ in range(9):
        page.keyboard.press("1")
        assert page.evaluate(IN_VIEW)
    expect(page.locator("[name=overview-0-text]")).to_have_value(BIKES_A["overview"])
    expect(rows.nth(9)).to_be_focused()
    page.keyboard.press("u")
    expect(rows.nth(8)).to_be_focused()
    expect(rows.nth(8).locator("textarea")).to_have_value("")
    page.keyboard.press("e")
    expect(rows.nth(8).locator("textarea")).to_be_focused()
    page.keyboard.type("1 typed")
    page.keyboard.press("Escape")
    expect(rows.nth(8)).to_be_focused()
    expect(rows.nth(8).locator("textarea")).to_have_value("1 typed")
