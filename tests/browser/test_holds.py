"""A hold that ends, and a submit that is late or whose reply is lost."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotate.models import Assignment, Caption
from tests.browser.work_pages import BROKEN, SAVED, open_work, state, stored, visit
from tests.work import WRITE_UP, expire, fill_draft, hold, make_work


@pytest.fixture
def held(project, anna, make_playable_clip):
    return hold(anna, make_work(make_playable_clip(project)))


@pytest.fixture(autouse=True)
def _broken_connections_are_noted_by_chromium(console_errors):
    console_errors.expect(BROKEN)


def test_a_hold_that_ended_says_so_and_keeps_the_text(
    page_of, anna, held, axe, screenshot, console_errors
):
    console_errors.expect("status of 410")
    fill_draft(held, **WRITE_UP)
    page = page_of(anna)
    page.clock.install(time=timezone.now() - timedelta(hours=30))  # a wrong clock
    visit(page, held)
    expect(page.locator("#lease")).to_have_text("Yours for 30 min more")
    expect(state(page)).to_have_text(SAVED)
    expire(held)
    page.locator("#submit-next").click()
    expect(page.locator("#hold-ended")).to_be_visible()
    assert Caption.objects.count() == 0
    assert stored(held)["overview"] == WRITE_UP["overview"]
    expect(page.locator("#submit-next")).to_be_hidden()
    axe(page)
    screenshot(page, "write-hold-ended")
    page.locator("#misc").fill("The camera stands still. It is a training video.")
    page.get_by_role("button", name="Take it again").click()
    expect(page.locator("#misc")).to_be_editable()
    expect(page.locator("#misc")).to_have_value("The camera stands still. It is a training video.")
    page.locator("#submit-only").click()
    page.wait_for_url("**/p/dives/")
    assert Caption.objects.get().parts["misc"].startswith("The camera stands still.")


def test_a_late_submit_overwrites_nothing(page_of, anna, ben, held, console_errors):
    console_errors.expect("status of 410")
    fill_draft(held, **WRITE_UP)
    page = open_work(page_of, anna, held)
    expire(held)
    held.item.refresh_from_db()
    hold(ben, held.item)
    Assignment.objects.filter(annotator=ben).update(draft={"overview": "Ben's"})
    page.locator("#submit-only").click()
    expect(page.locator("#hold-ended")).to_contain_text("nothing was changed")
    assert Caption.objects.count() == 0
    assert Assignment.objects.get(annotator=ben).draft == {"overview": "Ben's"}
    assert stored(held)["overview"] == WRITE_UP["overview"]


def check_that_a_submit_waits_for_the_connection_and_typing_stops_it(page):
    page.context.set_offline(True)
    page.locator("#submit-only").click()
    expect(page.locator("#submit-status")).to_have_text("Waiting for the connection to submit…")
    page.locator("#misc").press("End")
    page.locator("#misc").press_sequentially(" x")
    expect(page.get_by_text("Not submitted, because you kept typing.")).to_be_visible()
    page.context.set_offline(False)
    expect(state(page)).to_have_text(SAVED)
    assert Caption.objects.count() == 0


def test_a_submit_waits_and_where_its_reply_was_lost_is_repeated_under_its_key(page_of, anna, held):
    fill_draft(held, **WRITE_UP)
    page = open_work(page_of, anna, held)
    check_that_a_submit_waits_for_the_connection_and_typing_stops_it(page)
    keys = []

    def lose_first_reply(route):
        keys.append(json.loads(route.request.post_data)["key"])
        if len(keys) > 1:
            return route.continue_()
        route.fetch()
        return route.abort()

    page.route("**/submit/", lose_first_reply)
    page.locator("#submit-only").click()
    page.wait_for_url("**/p/dives/")
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert Caption.objects.count() == 1
