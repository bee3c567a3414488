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


@pytest.fixture
def page(page_of, anna, held):
    return open_work(page_of, anna, held)


@pytest.fixture
def rows(page):
    return page.locator("li.verify-row")


def verdict(page, sentence):
    return page.get_by_label(f"Verdict of sentence {sentence}")


def correction_of(page):
    return page.get_by_label("Corrected sentence")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_the_first_undecided_sentence_listens_at_once(page_of, anna, held, page, rows):
    expect(rows.first).to_be_focused()
    press(page, "o")
    expect(verdict(page, 1)).to_have_value("ok")
    expect(state(page)).to_have_text(SAVED)
    again = open_work(page_of, anna, held)
    expect(again.locator("li.verify-row").nth(1)).to_be_focused()


def test_it_leaves_the_cursor_to_an_address_that_names_a_place(page_of, anna, held):
    page = page_of(anna)
    page.goto(f"/assignments/{held.pk}/#theme")
    expect(page.locator("#verify-current")).to_have_text("Sentence 1")
    expect(page.locator("li.verify-row").first).not_to_be_focused()


@pytest.mark.parametrize("letter", ["a", "b", "d"])
def test_a_type_leads_into_the_correction_and_letters_are_text_there(page, held, letter):
    press(page, letter)
    correction = page.get_by_label("Corrected sentence")
    expect(correction).to_have_value("A man opens a door.")
    press(page, "ControlOrMeta+a")
    page.keyboard.type("A dog")
    expect(correction).to_have_value("A dog")
    expect(verdict(page, 1)).to_have_value(letter.upper())
    press(page, "Alt+3")
    page.keyboard.type("A door")
    expect(page.get_by_label("Missing content")).to_have_value("A door")
    expect(state(page)).to_have_text(SAVED)
    draft = stored(held)
    assert draft["verdict-0"] == "#".join(sorted({letter.upper(), "C"}))
    assert (draft["correction-0"], draft["missing-0-text"]) == ("A dog", "A door")


def test_where_letters_are_text_the_way_back_is_named(page):
    press(page, "a")
    way_back = page.get_by_text("Esc leaves the text")
    expect(way_back).to_be_visible()
    press(page, "Escape")
    expect(way_back).to_be_hidden()


def test_the_list_of_keys_fits_the_window_and_has_a_button_to_close_it(page):
    page.get_by_role("button", name="Keys").click()
    keys = page.locator("#page-keys")
    assert keys.evaluate("(list) => list.scrollHeight <= list.clientHeight")
    keys.get_by_role("button", name="Close").click()
    expect(keys).to_be_hidden()


def test_a_second_type_follows_escape_and_a_type_taken_back_leads_out(page, rows):
    press(page, "a", "Escape", "b")
    expect(verdict(page, 1)).to_have_value("A#B")
    expect(page.get_by_label("Corrected sentence")).to_be_focused()
    press(page, "Alt+1", "Alt+2")
    expect(verdict(page, 1)).to_have_value("")
    expect(rows.first).to_be_focused()


def test_a_verdict_moves_on_and_scrolls_the_next_sentence_into_view(page, rows):
    page.set_viewport_size({"width": 1280, "height": 420})
    press(page, "o")
    expect(rows.nth(1)).to_be_focused()
    press(page, "Delete")
    expect(verdict(page, 2)).to_have_value("B")
    expect(rows.nth(2)).to_be_focused()
    press(page, "o")
    expect(rows.nth(3)).to_be_focused()
    expect(rows.nth(3)).to_be_in_viewport(ratio=1)
    press(page, "o")
    expect(page.locator("#theme")).to_be_focused()
    expect(page.locator("#theme")).to_be_in_viewport()
    press(page, "w", "Escape", "u")
    expect(rows.nth(3)).to_be_focused()
    expect(verdict(page, 4)).to_have_value("")
    press(page, "u", "u")
    expect(rows.nth(1)).to_be_focused()
    expect(verdict(page, 2)).to_have_value("")
    expect(page.get_by_label("Delete sentence")).to_have_count(0)


def test_a_deleted_sentence_keeps_the_cursor(page, rows):
    press(page, "Delete", "ArrowUp", "a")
    expect(verdict(page, 1)).to_have_value("A#B")
    expect(rows.first).to_be_focused()


def test_a_question_mark_shows_the_keys_and_is_text_in_a_field(page):
    keys = page.locator("#page-keys")
    press(page, "?")
    expect(keys).to_be_visible()
    press(page, "?")
    expect(keys).to_be_hidden()
    press(page, "a", "?")
    expect(keys).to_be_hidden()
    expect(correction_of(page)).to_have_value("A man opens a door.?")


def test_another_verdict_sets_the_correction_aside_and_u_brings_it_back(page_of, page, rows, held):
    correction = page.get_by_label("Corrected sentence")
    press(page, "a")
    page.keyboard.type(" Slowly.")
    press(page, "Escape", "o")
    expect(correction).to_have_count(0)
    expect(rows.first).to_contain_text("Set aside: the correction.")
    press(page, "u")
    expect(rows.first).to_be_focused()
    expect(verdict(page, 1)).to_have_value("A")
    expect(correction).to_have_value("A man opens a door. Slowly.")
    expect(page.get_by_text("Set aside")).to_have_count(0)
    press(page, "o")
    expect(state(page)).to_have_text(SAVED)
    assert "correction-0" not in stored(held)
    again = open_work(page_of, held.annotator, held)
    press(again, "ArrowUp", "d")  # from the draft, when a type of error is chosen again
    expect(correction_of(again)).to_have_value("A man opens a door. Slowly.")


def test_another_verdict_sets_what_is_missing_aside_and_the_notice_brings_it_back(page, rows):
    missing = page.get_by_label("Missing content")
    press(page, "c")
    page.keyboard.type("A rope")
    press(page, "Escape", "o")
    expect(missing).to_have_count(0)
    rows.first.get_by_role("button", name="Undo").click()
    expect(verdict(page, 1)).to_have_value("C")
    expect(missing).to_have_value("A rope")
    page.get_by_role("button", name="Remove").click()
    expect(missing).to_have_count(0)
    press(page, "u")
    expect(missing).to_have_value("A rope")


def test_a_correction_that_was_emptied_goes_without_an_error(page, rows):
    # The field reports its change as it leaves; the page threw when it did.
    correction = correction_of(page)
    press(page, "a")
    correction.fill("His door.")
    press(page, "Escape", "e", "ControlOrMeta+a", "Delete", "Alt+0")
    expect(correction).to_have_count(0)
    expect(rows.nth(1)).to_be_focused()


def test_the_last_key_leads_to_a_sentence_and_one_down_to_the_end(page, rows):
    press(page, "End")
    expect(rows.last).to_be_focused()
    press(page, "ArrowDown")
    expect(page.locator("#verify-end")).to_be_focused()
    press(page, "Home")
    expect(rows.first).to_be_focused()


def test_one_key_says_that_the_theme_is_kept_and_again_that_it_is_not(page, rows):
    yes, no = page.get_by_label("Yes, it describes"), page.get_by_label("No, it describes")
    press(page, "w")
    expect(yes).to_be_checked()
    press(page, "w")
    expect(no).to_be_checked()
    press(page, "Escape")
    expect(rows.first).to_be_focused()
    press(page, "w")  # only back to the answer
    expect(no).to_be_checked()
    expect(no).to_be_focused()
    press(page, "Alt+9")
    expect(yes).to_be_checked()
    expect(page.locator("[data-theme-due]")).to_be_hidden()
