"""The dynamics check, used in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Assignment, DynamicsVerdict, Project, Video, WorkRules
from tests.browser.work_pages import SAVED, open_work, state, stored
from tests.hand_work import STATIC, hold_check, judge


@pytest.fixture
def video(project, make_playable_clip):
    Project.objects.filter(pk=project.pk).update(protocol="lovr")
    return make_playable_clip(project).video


def chosen(page):
    return page.locator("#verdict input:checked")


def test_two_people_agree_and_the_video_goes(page_of, project, anna, rita, video, axe, screenshot):
    judge(hold_check(rita, video), STATIC)
    page = page_of(anna)
    page.goto(reverse("annotate:my_work", args=[project.slug]))
    page.get_by_role("button", name="Next: dynamics check").click()
    expect(page.get_by_role("radiogroup", name="Is this video dynamic?")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("n")
    expect(chosen(page)).to_have_value("static")
    page.get_by_label("Remark").fill("A lecture: one desk, one speaker.")
    expect(state(page)).to_have_text(SAVED)
    screenshot(page, "dynamics")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#unwatched")).to_be_focused()
    expect(page.locator("#unwatched")).to_contain_text("You have watched 0 % of this video.")
    axe(page)
    screenshot(page, "dynamics-asks")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("You have nothing left to do in this step.")).to_be_visible()
    assert Video.objects.get().excluded_because == "Two people found it not dynamic."
    assert (
        DynamicsVerdict.objects.get(assignment__annotator=anna).remark
        == "A lecture: one desk, one speaker."
    )


def check_that_submitting_without_a_verdict_leads_to_the_choice(page):
    page.keyboard.press("Control+Enter")
    page.get_by_role("link", name="Choose one: is the video dynamic or not?").click()
    expect(page.locator("#verdict-error")).to_be_visible()
    expect(page.locator("#verdict")).to_be_focused()
    assert not DynamicsVerdict.objects.exists()


def check_that_keys_choose_and_never_type_or_fight_the_player(page):
    page.locator("h1").click()
    page.keyboard.press("d")
    expect(chosen(page)).to_have_value("dynamic")
    expect(page.locator("#verdict-status")).to_have_text("Dynamic is chosen.")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-show=frame]")).to_have_text("f25")
    expect(chosen(page)).to_have_value("dynamic")

    remark = page.get_by_label("Remark")
    remark.press_sequentially("Dn dn")
    expect(chosen(page)).to_have_value("dynamic")
    remark.press("Alt+2")
    expect(chosen(page)).to_have_value("static")
    remark.press("Alt+1")
    expect(chosen(page)).to_have_value("dynamic")
    expect(remark).to_have_value("Dn dn")
    page.get_by_label("Go to a time or frame").press_sequentially("n")
    expect(chosen(page)).to_have_value("dynamic")


def check_that_single_keys_can_be_confined(page):
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("heading", name="The verdict")).to_be_visible()
    page.get_by_label("Single keys work anywhere on the page").uncheck()
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("n")
    expect(chosen(page)).to_have_value("dynamic")
    page.get_by_role("radio", name="Dynamic", exact=True).focus()
    page.keyboard.press("n")
    expect(chosen(page)).to_have_value("static")


def test_keys_give_a_verdict_that_can_be_changed_until_it_is_submitted(
    page_of, anna, video, console_errors
):
    console_errors.expect("422")
    held = hold_check(anna, video)
    page = open_work(page_of, anna, held)
    check_that_submitting_without_a_verdict_leads_to_the_choice(page)
    check_that_keys_choose_and_never_type_or_fight_the_player(page)
    check_that_single_keys_can_be_confined(page)
    page.get_by_role("radio", name="Dynamic", exact=True).check()
    expect(state(page)).to_have_text(SAVED)
    assert stored(held) == {"verdict": "dynamic", "looked": "", "remark": "Dn dn"}

    again = open_work(page_of, anna, held)
    expect(chosen(again)).to_have_value("dynamic")
    again.get_by_role("radio", name="Not dynamic").check()
    again.locator("#submit-only").click()
    again.locator("#submit-only").click()
    again.wait_for_url("**/p/dives/")
    assert not DynamicsVerdict.objects.get().is_dynamic


def test_what_was_watched_is_counted_and_kept_and_may_be_asked_for(
    page_of, anna, video, console_errors
):
    console_errors.expect("422|ERR_INTERNET_DISCONNECTED")
    WorkRules.objects.create(project=video.project, kind="dynamics", watched_percent=60)
    held = hold_check(anna, video)
    Assignment.objects.filter(pk=held.pk).update(watched=[[0, 10]])
    page = open_work(page_of, anna, held)
    watched = page.locator("#watched-text")
    expect(watched).to_have_text("20 % watched, 60 % needed")
    page.keyboard.press("n")
    page.locator("#submit-only").click()  # is asked
    page.locator("#submit-only").click()  # is sure
    expect(page.locator("#watched-error")).to_contain_text("You have watched 20 % of this clip")
    page.get_by_label("Go to a time or frame").fill("f30")
    page.keyboard.press("Enter")
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(watched).to_have_text("60 % watched, 60 % needed")
    expect(page.locator("#announcement")).to_contain_text("enough to submit")
    page.context.set_offline(True)  # what was watched is told once the submit is heard
    page.locator("#submit-only").click()
    expect(page.locator("#submit-status")).to_contain_text("Waiting for the connection")
    page.context.set_offline(False)
    page.wait_for_url("**/p/dives/")
    held.refresh_from_db()
    assert held.watched == [[0, 10], [30, 50]]
