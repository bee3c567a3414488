"""Sentences tied to time, in a browser: stamped while writing, kept, and shown to the merge."""

import json

import pytest
from playwright.sync_api import expect

from annotate.models import Caption, WorkItem
from tests.browser.work_pages import open_work, stored
from tests.work import WRITE_UP, fill_draft, hold, make_work, submit_write_up

ACTIONS = "She climbs the tower. She jumps from the board. She dives into the water."


@pytest.fixture
def item(project, make_playable_clip):
    return make_work(make_playable_clip(project))


@pytest.fixture
def held(item, anna):
    assignment = hold(anna, item)
    fill_draft(assignment, **{**WRITE_UP, "actions": f"{ACTIONS} {WRITE_UP['actions']}"})
    return assignment


def caret_to(page, text):
    page.locator("#actions").evaluate(
        "(field, text) => { field.focus(); const at = field.value.indexOf(text) + text.length;"
        " field.setSelectionRange(at, at); }",
        text,
    )


def times_of(page):
    value = page.locator("[name=spans-actions]").input_value()
    return [(span["text"], span["start"], span["end"]) for span in json.loads(value or "[]")]


def go_to(page, frame):
    page.locator(".player-goto").fill(f"f{frame}")
    page.locator(".player-goto").press("Enter")
    expect(page.locator("[data-show=frame]")).to_have_text(f"f{frame}")


def stamp(page, text, *frames):
    for frame in frames:
        go_to(page, frame)
        caret_to(page, text)
        page.keyboard.press("Alt+KeyT")


def test_a_stamp_is_saved_reopened_submitted_and_seen_in_the_merge(
    page_of, anna, ben, emil, held, item
):
    page = open_work(page_of, anna, held)
    stamp(page, "jumps from", 4, 9)
    expect(page.locator("#stamp-status")).to_contain_text("0.16 s to 0.40 s")
    assert times_of(page) == [("She jumps from the board.", 4, 10)]
    page.keyboard.type(" slowly")
    assert page.locator("#actions").input_value().startswith("She climbs the tower. She jumps from")
    assert times_of(page)[0][0].startswith("She jumps from slowly")
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    assert "She jumps from slowly" in stored(held)["spans-actions"]
    page.keyboard.press("Tab")
    expect(page.locator("#misc")).to_be_focused()

    page = open_work(page_of, anna, held)
    bar = page.get_by_role("group", name="Times of sentences").get_by_role("button")
    number = bar.text_content()
    expect(bar).to_have_accessible_name(f"Sentence {number}, 0.16 s to 0.40 s")
    bar.hover()
    expect(page.locator(".player")).to_have_attribute("data-playing", "true")
    page.mouse.move(0, 0)
    expect(page.locator(".player")).to_have_attribute("data-playing", "false")
    page.locator("#misc").press("Control+Enter")
    page.wait_for_url(lambda url: f"/assignments/{held.pk}/" not in url)
    [span] = Caption.objects.get().spans
    assert (span["start_frame"], span["end_frame"]) == (4, 10)

    submit_write_up(ben, item)
    merge = hold(emil, WorkItem.objects.get(kind="merge"))
    page = open_work(page_of, emil, merge)
    bar = page.get_by_role("group", name="Times of sentences").get_by_role("button")
    expect(bar).to_have_accessible_name("A: She jumps from slowly the board., 0.16 s to 0.40 s")


def check_that_the_loop_stamps_at_once_and_undo_takes_it_back(page):
    go_to(page, 3)
    page.locator("[data-do=range-in]").click()
    go_to(page, 7)
    page.locator("[data-do=range-out]").click()
    caret_to(page, "dives")
    page.get_by_role("button", name="Set the time of the sentence").click()
    assert times_of(page) == [("She dives into the water.", 3, 8)]
    page.keyboard.press("Alt+Shift+KeyT")
    assert times_of(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    assert times_of(page) == [("She dives into the water.", 3, 8)]
    expect(page.locator(".span-list")).to_contain_text(["", "", "0.12 s to 0.32 s", ""])


def check_that_a_time_follows_its_sentence_and_comes_back_with_it(page):
    field = page.locator("#actions")
    stamp(page, "jumps", 4)
    field.press("Home")
    page.keyboard.type("It begins. ")
    assert times_of(page) == [("She jumps from the board.", 4, 5)]
    field.fill(field.input_value().replace("She jumps from the board. ", ""))
    assert times_of(page) == []
    field.fill(field.input_value().replace("She dives", "She jumps from the board. She dives"))
    assert times_of(page) == [("She jumps from the board.", 4, 5)]


def test_the_loop_stamps_at_once_and_a_time_follows_its_sentence(page_of, anna, held):
    page = open_work(page_of, anna, held)
    check_that_the_loop_stamps_at_once_and_undo_takes_it_back(page)
    caret_to(page, "dives")
    page.keyboard.press("Alt+Shift+KeyT")
    page.get_by_role("button", name="Clear the loop").click()
    check_that_a_time_follows_its_sentence_and_comes_back_with_it(page)
