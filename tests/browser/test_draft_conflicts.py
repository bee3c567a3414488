"""Two versions of one text: both are shown, one is chosen, neither is lost."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from annotate.models import Assignment
from tests.browser.tabs import RESTING_PLACE
from tests.browser.work_pages import BROKEN, SAVED, close_tab, open_work, state, stored, visit
from tests.work import WRITE_UP, fill_draft, hold, make_work

SAVED_ELSEWHERE = "Another tab or device has saved this work since."


@pytest.fixture
def held(project, anna, make_playable_clip):
    return hold(anna, make_work(make_playable_clip(project)))


@pytest.fixture(autouse=True)
def _broken_connections_are_noted_by_chromium(console_errors):
    console_errors.expect(BROKEN)


@pytest.fixture
def conflicting(page_of, anna, held, console_errors):
    """Anna's page after she saved another overview on another device."""
    console_errors.expect("status of 409")
    fill_draft(held, **WRITE_UP)
    mine = open_work(page_of, anna, held)
    swimmer = "A swimmer jumps from a low board into a green pool."
    fill_draft(held, **WRITE_UP | {"overview": swimmer})
    mine.evaluate("dispatchEvent(new Event('online'))")
    expect(mine.get_by_text(SAVED_ELSEWHERE)).to_be_visible()
    mine.locator("#overview").fill("A diver leaps from a tall board into a blue pool.")
    expect(mine.locator("#conflict")).to_be_visible()
    return mine


def check_that_submitting_asks_for_the_choice_first(page, held, axe):
    reminder, title = page.get_by_text("Choose a version first"), page.locator("#conflict-title")
    page.locator("#misc").press("Control+Enter")
    expect(reminder).to_be_visible()
    expect(title).to_be_focused()
    expect(title).to_be_in_viewport()
    axe(page)
    page.locator("#misc").focus()
    page.context.set_offline(True)
    expect(state(page)).to_have_text("Offline, both versions kept on this device")
    page.locator("#submit-only").click()
    expect(title).to_be_focused()
    expect(title).to_be_in_viewport()
    page.context.set_offline(False)
    expect(state(page)).to_have_text("Both versions above")
    held.refresh_from_db()
    assert held.state == "held"


def check_that_reloading_decides_nothing(page, held):
    for _ in range(2):
        page.reload()
        expect(page.locator("#conflict")).to_be_visible()
        expect(page.locator("#overview")).to_have_value(re.compile("^A diver leaps"))
        expect(page.locator("#conflict h3")).to_have_text(["Overview"])
        assert stored(held)["overview"].startswith("A swimmer")


def test_both_versions_are_shown_and_keeping_mine_saves_it(conflicting, held, axe, screenshot):
    panel = conflicting.locator("#conflict")
    expect(conflicting.locator("#overview")).to_be_focused()
    expect(state(conflicting)).to_have_text("Both versions above")
    mine, theirs = panel.locator("[data-mine] mark"), panel.locator("[data-theirs] mark")
    expect(mine).to_have_text(["diver leaps", "tall", "blue"])
    expect(theirs).to_have_text(["swimmer jumps", "low", "green"])
    expect(panel.locator("h3")).to_have_text(["Overview"])
    screenshot(conflicting, "write-conflict")
    check_that_submitting_asks_for_the_choice_first(conflicting, held, axe)
    check_that_reloading_decides_nothing(conflicting, held)
    conflicting.get_by_role("button", name="Keep this page’s version").click()
    expect(conflicting.locator("#conflict")).to_be_hidden()
    expect(state(conflicting)).to_have_text(SAVED)
    assert stored(held)["overview"] == "A diver leaps from a tall board into a blue pool."
    conflicting.get_by_role("button", name="Earlier versions 1").click()
    dialog = conflicting.locator("#earlier")
    expect(dialog).to_contain_text("A swimmer jumps from a low board into a green pool.")
    axe(conflicting)
    dialog.get_by_role("button", name="Restore").click()
    expect(conflicting.locator("#overview")).to_have_value(re.compile("^A swimmer jumps"))
    expect(state(conflicting)).to_have_text(SAVED)
    assert stored(held)["overview"].startswith("A swimmer jumps")
    expect(conflicting.get_by_role("button", name="Earlier versions 2")).to_be_visible()


def test_one_part_is_copied_or_all_of_theirs_is_taken(conflicting, held):
    conflicting.locator("#misc").fill("Mine alone. It is.")
    conflicting.get_by_role("button", name="Copy the saved version here: Overview").click()
    expect(conflicting.locator("#overview")).to_have_value(re.compile("^A swimmer"))
    conflicting.get_by_role("button", name="Keep this page’s version").click()
    expect(state(conflicting)).to_have_text(SAVED)
    expect(conflicting.get_by_text(SAVED_ELSEWHERE)).to_have_count(0)
    assert stored(held)["overview"].startswith("A swimmer")
    assert stored(held)["misc"] == "Mine alone. It is."

    fill_draft(held, **{**stored(held), "overview": "A gull lands.", "objects": "A gull."})
    conflicting.locator("#overview").fill("A diver leaps from a tall board into a blue pool.")
    expect(conflicting.locator("#conflict")).to_be_visible()
    check_that_only_what_both_changed_is_asked_about(conflicting, held)


def test_a_conflict_survives_closing_the_tab(page_of, anna, held, console_errors):
    console_errors.expect("status of 409")
    page = open_work(page_of, anna, held)
    page.context.set_offline(True)
    page.locator("#overview").fill("Typed while offline.")
    expect(state(page)).to_have_text("Offline, kept on this device")
    close_tab(page)
    fill_draft(held, overview="Typed on the other computer.")
    page.context.set_offline(False)
    again = page.context.new_page()
    visit(again, held)
    expect(again.locator("#conflict")).to_be_visible()
    expect(again.locator("[data-mine]").first).to_have_text("Typed while offline.")
    expect(again.locator("[data-theirs]").first).to_have_text("Typed on the other computer.")
    assert stored(held)["overview"] == "Typed on the other computer."


def test_typing_continues_when_the_conflict_appears(page_of, anna, held, console_errors):
    """The letters are also single-key commands of the player: a loops, g goes to, k plays."""
    console_errors.expect("status of 409")
    page = open_work(page_of, anna, held)
    fill_draft(held, overview="Typed on the other computer.")
    page.locator("#overview").press_sequentially("A jaguar")
    before = page.locator("#overview").bounding_box()["y"]
    page.keyboard.press("Control+s")
    expect(page.locator("#conflict")).to_be_visible()
    assert abs(page.locator("#overview").bounding_box()["y"] - before) < 2
    page.keyboard.type(" makes a big leap, amblingly.")
    expect(page.locator("#overview")).to_be_focused()
    expect(page.locator("#overview")).to_have_value("A jaguar makes a big leap, amblingly.")
    expect(page.locator("#save-announcement")).to_have_text("Both versions above")
    expect(page.locator("video")).to_have_js_property("paused", True)
    expect(page.locator("dialog:modal")).to_have_count(0)
    page.reload()
    expect(page.locator("[data-mine]").first).to_have_text("A jaguar makes a big leap, amblingly.")


def test_different_fields_need_no_choice(page_of, anna, held, console_errors):
    console_errors.expect("status of 409")
    fill_draft(held, **WRITE_UP)
    page = open_work(page_of, anna, held)
    fill_draft(held, **{**WRITE_UP, "misc": "Typed elsewhere. It is."})
    page.locator("#overview").press("Home")
    page.keyboard.type("Today ")
    expect(page.locator("#misc")).to_have_value("Typed elsewhere. It is.")
    page.keyboard.type("again ")
    expect(page.locator("#overview")).to_have_value(f"Today again {WRITE_UP['overview']}")
    expect(state(page)).to_have_text(SAVED)
    expect(page.locator("#conflict")).to_be_hidden()
    assert stored(held)["misc"] == "Typed elsewhere. It is."
    assert stored(held)["overview"] == f"Today again {WRITE_UP['overview']}"


def check_that_only_what_both_changed_is_asked_about(conflicting, held):
    fill_draft(held, **{**stored(held), "misc": "Typed elsewhere. It is."})
    conflicting.reload()
    expect(conflicting.locator("#misc")).to_have_value("Typed elsewhere. It is.")
    expect(conflicting.locator("#conflict h3")).to_have_text(["Overview"])
    conflicting.locator("#objects").fill("Mine alone.")
    conflicting.get_by_role("button", name="Take the saved version").click()
    expect(conflicting.locator("#overview")).to_have_value("A gull lands.")
    expect(state(conflicting)).to_have_text(SAVED)
    conflicting.get_by_role("button", name="Earlier versions").click()
    expect(conflicting.locator("#earlier")).to_contain_text("A diver leaps from a tall board")
    assert stored(held)["overview"] == "A gull lands."
    assert stored(held)["objects"] == "Mine alone."
    assert stored(held)["misc"] == "Typed elsewhere. It is."


def test_leaving_during_a_save_overwrites_nothing(page_of, anna, held, console_errors):
    """A save that will be refused is under way when the page is left with more text."""
    console_errors.expect("status of 409")
    page = open_work(page_of, anna, held)
    fill_draft(held, overview="Typed on the other computer.")
    page.route("**/draft/", lambda route: None, times=1)
    page.locator("#overview").fill("A diver")
    with page.expect_request("**/draft/"):
        page.keyboard.press("Control+s")
    page.keyboard.type(" jumps.")
    page.goto("/")
    page.wait_for_timeout(300)
    assert stored(held)["overview"] == "Typed on the other computer."
    visit(page, held)
    expect(page.locator("[data-mine]").first).to_have_text("A diver jumps.")


def test_a_copy_of_unknown_origin_is_never_put_over_a_later_version(page_of, anna, held):
    page = page_of(anna)
    page.goto(RESTING_PLACE)
    copy = '{"base": 0, "content": {"misc": "Typed long ago."}, "at": 1}'
    page.evaluate(f"localStorage.setItem('draft:{anna.pk}:{held.pk}:old', '{copy}')")
    fill_draft(held, overview="Typed on the other computer.")
    visit(page, held)
    expect(page.locator("#conflict h3")).to_have_text(["Overview", "Misc"])
    assert stored(held) == {"overview": "Typed on the other computer."}


def check_that_a_second_tab_follows_the_first(first, second):
    first.locator("#overview").fill("A diver jumps.")
    expect(second.locator("#overview")).to_have_value("A diver jumps.")
    second.locator("#misc").fill("Filmed from above.")
    expect(first.locator("#misc")).to_have_value("Filmed from above.")
    expect(second.locator("#conflict")).to_be_hidden()


def test_tabs_follow_each_other_and_text_left_behind_by_a_submit_can_still_be_read(
    page_of, anna, held, axe
):
    page = open_work(page_of, anna, held)
    second = page.context.new_page()
    visit(second, held)
    check_that_a_second_tab_follows_the_first(page, second)
    expect(state(second)).to_have_text(SAVED)
    expect(state(page)).to_have_text(SAVED)
    second.close()

    page.context.set_offline(True)
    page.locator("#overview").fill("A better overview, typed on the train.")
    expect(state(page)).to_have_text("Offline, kept on this device")
    close_tab(page)
    fill_draft(held, **WRITE_UP)
    Assignment.objects.filter(pk=held.pk).update(
        state="submitted", submitted_at=timezone.now() - timedelta(minutes=5)
    )
    page.context.set_offline(False)
    again = page.context.new_page()
    again.goto(reverse("annotate:work", args=[held.pk]))
    again.get_by_role("button", name="Earlier versions 1").click()
    expect(again.locator("#earlier")).to_contain_text("typed on the train")
    assert stored(held) == WRITE_UP
    axe(again)
