"""A spot check judged by one key for each item, in a real browser."""

from __future__ import annotations

from django.urls import reverse
from playwright.sync_api import expect

from review.spot_checks.models import SpotCheckItem
from review.spot_checks.services import draw_spot_check
from tests.browser.looks import scrolls_sideways, widths
from tests.hand_work import DYNAMIC, hold_check, judge


def press_and_go(page, key):
    with page.expect_navigation():
        page.keyboard.press(key)
    page.wait_for_load_state()


def test_items_are_judged_by_one_key_each_and_changed(
    page_of, project, ada, anna, ben, rita, make_playable_clip, axe, screenshot
):
    video = make_playable_clip(project).video
    for person in (anna, ben):
        judge(hold_check(person, video), DYNAMIC)
    check = draw_spot_check(project=project, kind="dynamics", per_person=1, seed=1, admin=ada)
    page = page_of(rita)
    page.goto(reverse("review:judge_next", args=[project.slug, check.pk]))
    press_and_go(page, "r")
    expect(page.get_by_text("1 of 2 judged")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    axe(page)
    screenshot(page, "spot-check")
    assert [width for width in widths(page) if scrolls_sideways(page)] == []
    press_and_go(page, "u")
    expect(page.locator(".work-heading")).to_contain_text("You judged it right")
    page.get_by_label("Remark").fill("It stands still.")
    press_and_go(page, "Alt+w")
    expect(page.get_by_text("Judged before: wrong")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Wrong, and next")
    page.keyboard.press("Escape")
    press_and_go(page, "r")
    expect(page.get_by_text("Nothing is left for you to judge")).to_be_visible()
    judged = SpotCheckItem.objects.order_by("place").values_list("is_right", "remark")
    assert list(judged) == [(False, "It stands still."), (True, "")]
