"""The keys of the Merge page: one a row, from the start."""

from playwright.sync_api import expect

from tests.browser.work_pages import open_work
from tests.merge_work import BIKES_A, all_of, hold_merge

IN_VIEW = """() => {
  const { top, bottom } = document.activeElement.getBoundingClientRect();
  return top >= 0 && bottom <= document.querySelector(".work-bar").getBoundingClientRect().top;
}"""

OVERLAP = """() => {
  const boxes = [...document.querySelectorAll(".work-bar output, .work-bar .button:not([hidden])")]
    .map((part) => part.getBoundingClientRect()).filter((box) => box.width);
  return boxes.flatMap((a, place) => boxes.slice(place + 1).filter((b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
}"""


def test_one_key_takes_a_sentence_and_brings_the_next_row_into_view(
    page_of, project, emil, anna, ben, make_playable_clip
):
    page = open_work(page_of, emil, hold_merge(make_playable_clip(project), emil, anna, ben))
    rows = page.locator("#work-form [data-row]")
    expect(rows.first).to_be_focused()
    has_a = [bool(row["a_text"]) for part in all_of("a").values() for row in part]
    for place in range(9):
        page.keyboard.press("1")
        if not has_a[place]:
            expect(rows.nth(place)).to_be_focused()
            expect(page.locator("#merge-status")).to_contain_text("no such sentence")
            page.keyboard.press("ArrowDown")
        expect(rows.nth(place + 1)).to_be_focused()
        assert page.evaluate(IN_VIEW)
    expect(page.locator("[name=overview-0-text]")).to_have_value(BIKES_A["overview"])
    check_that_one_u_takes_back_the_last_act_of_a_key_or_button(page)
    page.keyboard.press("e")
    expect(rows.first.locator("textarea")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("1 is typed. It has two.")
    expect(page.locator("#overview [data-sentences]")).to_have_text("2")  # no server answers
    page.keyboard.press("Escape")
    expect(rows.first).to_be_focused()
    expect(rows.first.locator("textarea")).to_have_value("1 is typed. It has two.")
    check_that_the_video_and_all_of_the_bar_stay_in_view(page)


def check_that_one_u_takes_back_the_last_act_of_a_key_or_button(page):
    page.route("**/origins/", lambda _: None)  # it never answers

    def texts():
        return page.locator("[data-field=text]").evaluate_all("all => all.map((e) => e.value)")

    begun = texts()
    page.get_by_role("button", name="Take all of B for Misc").click()
    page.get_by_role("button", name="Take all of A for Actions").click()
    filled = page.locator("[data-filled]").inner_text()
    page.locator("#overview-0").get_by_role("button", name="Clear the text").click()
    page.locator("#objects-0").get_by_role("button", name="Move the row down").click()
    page.get_by_role("button", name="Add a sentence to Misc").click()
    page.keyboard.press("Escape")
    for _ in range(3):
        page.keyboard.press("u")
    expect(page.locator("[data-filled]")).to_have_text(filled)
    page.keyboard.press("u")
    page.keyboard.press("u")
    assert texts() == begun
    page.locator("#overview-0").focus()


def check_that_the_video_and_all_of_the_bar_stay_in_view(page):
    page.locator("#objects-0 textarea").fill("word " * 357)
    expect(page.locator(".budget-advice")).to_contain_text("too many")
    page.locator("#preview-wide").hover()
    page.mouse.wheel(0, 900)
    expect(page.locator("#preview-wide .heading")).not_to_be_in_viewport()
    expect(page.locator(".player-stage")).to_be_in_viewport(ratio=1)
    for width in (1280, 1024, 800):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(OVERLAP) == []
