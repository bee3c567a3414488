"""Where the cursor is while a caption is verified, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.work_pages import SAVED, open_work, state, stored
from tests.hand_work import machine_caption
from tests.review.verification.verifying import CAPTION, hold_verification


@pytest.fixture
def held(project, make_playable_clip, anna):
    clip = make_playable_clip(project, fps_num=10)
    return hold_verification(anna, machine_caption(clip, CAPTION))


def rows(page):
    return page.locator("li.verify-row")


def verdict(page, sentence):
    return page.get_by_label(f"Verdict of sentence {sentence}")


def correction_of(page):
    return page.get_by_label("Corrected sentence")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_the_first_undecided_sentence_listens_at_once_unless_a_place_is_named(page_of, anna, held):
    elsewhere = page_of(anna)
    elsewhere.goto(f"/assignments/{held.pk}/#theme")
    expect(elsewhere.locator("#verify-current")).to_have_text("Sentence 1")
    expect(rows(elsewhere).first).not_to_be_focused()

    page = open_work(page_of, anna, held)
    expect(rows(page).first).to_be_focused()
    press(page, "o")
    expect(verdict(page, 1)).to_have_value("ok")
    expect(state(page)).to_have_text(SAVED)
    again = open_work(page_of, anna, held)
    expect(rows(again).nth(1)).to_be_focused()


def check_type_that_leads_into_the_correction(page, number, letter, text):
    """Letters are text there, and so they are in what is missing."""
    rows(page).nth(number).click(position={"x": 5, "y": 5})
    press(page, letter)
    correction = page.locator(f"#correction-{number}")
    expect(correction).to_have_value(text)
    press(page, "ControlOrMeta+a")
    page.keyboard.type("A dog")
    expect(correction).to_have_value("A dog")
    expect(verdict(page, number + 1)).to_have_value(letter.upper())
    press(page, "Alt+3")
    page.keyboard.type("A door")
    press(page, "Enter")  # it ends the text and moves to the next sentence
    expect(page.locator(f"#missing-{number}-text")).to_have_value("A door")
    expect(rows(page).nth(number + 1)).to_be_focused()


def test_each_type_leads_into_the_correction(page_of, anna, held):
    page = open_work(page_of, anna, held)
    sentences = ("A man opens a door.", "He wears a red cap.", "It is a door.")
    for number, (letter, text) in enumerate(zip("abd", sentences, strict=True)):
        check_type_that_leads_into_the_correction(page, number, letter, text)
    expect(state(page)).to_have_text(SAVED)
    draft = stored(held)
    for number, both in enumerate(("A#C", "B#C", "C#D")):
        assert draft[f"verdict-{number}"] == both
        assert draft[f"correction-{number}"] == "A dog"
        assert draft[f"missing-{number}-text"] == "A door"


def check_the_card_of_keys(page):
    """It fits the window, has a button to close it, and a question mark shows and hides it."""
    keys = page.locator("#page-keys")
    page.get_by_role("button", name="Keys").click()
    assert keys.evaluate("(list) => list.scrollHeight <= list.clientHeight")
    keys.get_by_role("button", name="Close").click()
    expect(keys).to_be_hidden()
    rows(page).first.focus()
    press(page, "?")
    expect(keys).to_be_visible()
    press(page, "?")
    expect(keys).to_be_hidden()


def check_the_keys_that_lead_to_the_ends(page):
    press(page, "End")
    expect(rows(page).last).to_be_focused()
    press(page, "ArrowDown")
    expect(page.locator("#verify-end")).to_be_focused()
    press(page, "Home")
    expect(rows(page).first).to_be_focused()


def check_that_one_key_answers_about_the_theme(page):
    yes, no = page.get_by_label("Yes, it describes"), page.get_by_label("No, it describes")
    press(page, "w")
    expect(yes).to_be_checked()
    press(page, "w")
    expect(no).to_be_checked()
    press(page, "Escape")
    expect(rows(page).first).to_be_focused()
    press(page, "w")  # only back to the answer
    expect(no).to_be_checked()
    expect(no).to_be_focused()
    press(page, "Alt+9")
    expect(yes).to_be_checked()
    expect(page.locator("[data-theme-due]")).to_be_hidden()


def check_that_types_are_added_and_taken_back(page):
    """Where letters are text, the way back is named."""
    rows(page).first.focus()
    way_back = page.get_by_text("Esc leaves the text")
    press(page, "a")
    expect(way_back).to_be_visible()
    press(page, "Escape")
    expect(way_back).to_be_hidden()
    press(page, "b")
    expect(verdict(page, 1)).to_have_value("A#B")
    expect(correction_of(page)).to_be_focused()
    press(page, "Alt+1", "Alt+2")
    expect(verdict(page, 1)).to_have_value("")
    expect(rows(page).first).to_be_focused()


def check_that_a_question_mark_is_text_in_a_field(page):
    press(page, "a", "?")
    expect(page.locator("#page-keys")).to_be_hidden()
    expect(correction_of(page)).to_have_value("A man opens a door.?")


def test_keys_reach_the_card_the_ends_the_theme_and_the_text(page_of, anna, held):
    page = open_work(page_of, anna, held)
    check_the_card_of_keys(page)
    check_the_keys_that_lead_to_the_ends(page)
    check_that_one_key_answers_about_the_theme(page)
    check_that_types_are_added_and_taken_back(page)
    check_that_a_question_mark_is_text_in_a_field(page)


def test_a_verdict_moves_on_and_scrolls_the_next_sentence_into_view(page_of, anna, held):
    page = open_work(page_of, anna, held)
    sentences = rows(page)
    page.set_viewport_size({"width": 1280, "height": 420})
    press(page, "o")
    expect(sentences.nth(1)).to_be_focused()
    press(page, "Delete")
    expect(verdict(page, 2)).to_have_value("B")
    expect(sentences.nth(2)).to_be_focused()
    press(page, "o")
    expect(sentences.nth(3)).to_be_focused()
    expect(sentences.nth(3)).to_be_in_viewport(ratio=1)
    press(page, "o")
    expect(page.locator("#theme")).to_be_focused()
    expect(page.locator("#theme")).to_be_in_viewport()
    press(page, "w", "Escape", "u")
    expect(sentences.nth(3)).to_be_focused()
    expect(verdict(page, 4)).to_have_value("")
    press(page, "u", "u")
    expect(sentences.nth(1)).to_be_focused()
    expect(verdict(page, 2)).to_have_value("")
    expect(page.get_by_label("Delete sentence")).to_have_count(0)
    # A sentence that is deleted keeps the cursor when it gets another type.
    press(page, "Delete", "ArrowUp", "a")
    expect(verdict(page, 2)).to_have_value("A#B")
    expect(sentences.nth(1)).to_be_focused()


def check_that_an_emptied_correction_goes_without_an_error(page):
    # The field reports its change as it leaves; the page threw when it did.
    press(page, "a")
    correction_of(page).fill("His door.")
    press(page, "Escape", "e", "ControlOrMeta+a", "Delete", "Alt+0")
    expect(correction_of(page)).to_have_count(0)
    expect(rows(page).nth(1)).to_be_focused()


def check_that_what_is_missing_is_set_aside_and_brought_back(page):
    row, missing = rows(page).nth(1), page.get_by_label("Missing content")
    press(page, "c")
    page.keyboard.type("A rope")
    press(page, "Escape", "o")
    expect(missing).to_have_count(0)
    row.get_by_role("button", name="Undo").click()
    expect(verdict(page, 2)).to_have_value("C")
    expect(missing).to_have_value("A rope")
    page.get_by_role("button", name="Remove").click()
    expect(missing).to_have_count(0)
    press(page, "u")
    expect(missing).to_have_value("A rope")


def check_that_a_correction_is_set_aside_and_brought_back(page):
    row, correction = rows(page).nth(2), correction_of(page)
    row.focus()
    press(page, "a")
    page.keyboard.type(" Slowly.")
    press(page, "Escape", "o")
    expect(correction).to_have_count(0)
    expect(row).to_contain_text("Removed the correction. Undo brings it back.")
    press(page, "u")
    expect(row).to_be_focused()
    expect(verdict(page, 3)).to_have_value("A")
    expect(correction).to_have_value("It is a door. Slowly.")
    expect(page.get_by_text("Removed the")).to_have_count(0)
    press(page, "o")


def test_another_verdict_sets_aside_what_was_typed(page_of, anna, held):
    page = open_work(page_of, anna, held)
    check_that_an_emptied_correction_goes_without_an_error(page)
    check_that_what_is_missing_is_set_aside_and_brought_back(page)
    check_that_a_correction_is_set_aside_and_brought_back(page)
    expect(state(page)).to_have_text(SAVED)
    assert "correction-2" not in stored(held)
    again = open_work(page_of, anna, held)
    press(again, "ArrowUp", "d")  # from the draft, when a type of error is chosen again
    expect(correction_of(again)).to_have_value("It is a door. Slowly.")
