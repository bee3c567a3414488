"""Nothing a person typed is lost when connections break, tabs close or storage is full."""

import re

import pytest
from django.conf import settings
from playwright.sync_api import Error, expect

from tests.browser.work_pages import (
    BROKEN,
    SAVED,
    close_tab,
    local_copies,
    open_work,
    state,
    stored,
    visit,
)
from tests.cast import session_of
from tests.work import hold, make_work


@pytest.fixture
def held(project, anna, make_playable_clip):
    return hold(anna, make_work(make_playable_clip(project)))


@pytest.fixture(autouse=True)
def _broken_connections_are_noted_by_chromium(console_errors):
    console_errors.expect(BROKEN)


def check_that_a_token_renewed_by_signing_in_again_is_no_trouble(page, held):
    site = page.evaluate("location.origin")
    page.context.add_cookies([{"name": "csrftoken", "value": "b" * 32, "url": site}])
    page.locator("#overview").fill("A diver jumps.")
    page.locator("#overview").blur()
    expect(state(page)).to_have_text(SAVED)
    assert stored(held)["overview"] == "A diver jumps."


def check_that_text_is_sent_when_the_connection_returns(page, held):
    page.context.set_offline(True)
    expect(state(page)).to_have_text("Offline, everything is saved")
    page.locator("#misc").fill("Filmed from above.")
    page.locator("#misc").blur()
    expect(state(page)).to_have_text("Offline, kept on this device")
    expect(page.locator("#save-announcement")).to_have_text("Offline, kept on this device")
    page.context.set_offline(False)
    expect(state(page)).to_have_text(SAVED)
    assert stored(held)["misc"] == "Filmed from above."


def test_a_pause_in_typing_saves_for_any_device_and_nothing_typed_is_lost(page_of, anna, held):
    page = open_work(page_of, anna, held)
    page.locator("#objects").press_sequentially("Two red ball")
    with page.expect_request("**/draft/", timeout=2000):
        page.locator("#objects").press("s")
    expect(state(page)).to_have_text(SAVED)
    assert stored(held)["objects"] == "Two red balls"
    assert local_copies(page) == []

    check_that_a_token_renewed_by_signing_in_again_is_no_trouble(page, held)
    check_that_text_is_sent_when_the_connection_returns(page, held)

    # Leaving in the middle of a word keeps it.
    page.locator("#misc").fill("")
    page.locator("#misc").press_sequentially("Filmed from abo")
    page.goto("/")
    page.wait_for_timeout(300)
    visit(page, held)
    expect(page.locator("#misc")).to_have_value("Filmed from abo")


def check_that_typing_without_a_pause_is_saved_too(page):
    sent = []
    page.on("request", lambda request: sent.append(request.url.endswith("/draft/")))
    page.locator("#objects").focus()
    for _ in range(8):  # real time passes as well, so not the full ten seconds
        page.keyboard.press("a")
        page.clock.fast_forward(1000)
    assert not any(sent)
    with page.expect_response("**/draft/"):
        for _ in range(2):
            page.keyboard.press("a")
            page.clock.fast_forward(1000)
    expect(state(page)).to_have_text(SAVED)


def check_that_a_server_in_trouble_is_tried_again(page, held):
    failures = []

    def fail_twice(route):
        if len(failures) < 2:
            failures.append(route)
            route.fulfill(status=503)
        else:
            route.continue_()

    page.route("**/draft/", fail_twice)
    page.locator("#misc").fill("Filmed from above.")
    for seconds in (0, 2, 4):
        page.clock.fast_forward(seconds * 1000)
        expect(state(page)).to_have_text("Offline, kept on this device" if seconds < 4 else SAVED)
    assert len(failures) == 2
    assert stored(held)["misc"] == "Filmed from above."
    page.unroute("**/draft/")


def check_that_somebody_signed_out_is_asked_for_less_and_less_often_until_they_are_back(page, held):
    tries = []
    page.on("request", lambda request: tries.append(request.url.endswith("/draft/")))
    cookies = page.context.cookies()
    page.context.clear_cookies(name="sessionid")
    page.locator("#overview").fill("A diver jumps.")
    expect(page.locator("#signed-out")).to_be_visible()
    expect(state(page)).to_have_text("Signed out, kept on this device")
    for seconds in (2, 4):
        with page.expect_response("**/draft/"):
            page.clock.fast_forward(seconds * 1000)
    page.clock.fast_forward(7500)  # the next is due after 8 seconds
    page.wait_for_timeout(300)
    assert sum(tries) == 3
    page.context.clear_cookies()
    with page.expect_response(lambda answer: answer.status == 401):
        page.clock.fast_forward(500)
    expect(state(page)).to_have_text("Signed out, kept on this device")
    page.context.add_cookies(cookies)
    page.clock.fast_forward(15_000)
    expect(state(page)).to_have_text(SAVED)
    expect(page.locator("#signed-out")).to_be_hidden()
    assert stored(held)["overview"] == "A diver jumps."


def check_submit_leads_somebody_signed_out_to_the_link_that_signs_in(page):
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#signed-out")).to_be_focused()
    expect(page.locator("#signed-out")).to_be_in_viewport()


def test_when_text_is_sent_by_the_clock(page_of, anna, held, console_errors):
    console_errors.expect("status of (503|401)")
    page = open_work(page_of, anna, held, clock=True)
    check_that_typing_without_a_pause_is_saved_too(page)
    check_that_a_server_in_trouble_is_tried_again(page, held)
    check_that_somebody_signed_out_is_asked_for_less_and_less_often_until_they_are_back(page, held)
    check_submit_leads_somebody_signed_out_to_the_link_that_signs_in(page)


def test_what_is_typed_before_the_scripts_are_there_is_saved_too(page_of, anna, held):
    page = page_of(anna)
    waiting = []
    page.route("**/queue/work.js", lambda route: waiting.append(route))
    page.goto(f"/assignments/{held.pk}/", wait_until="commit")
    page.locator("#objects").fill("Two red balls")
    with page.expect_response("**/draft/"):
        waiting[0].continue_()
    assert stored(held)["objects"] == "Two red balls"


def test_a_cut_connection_loses_no_word(page_of, anna, held, screenshot):
    """The connection goes in the middle of a caption, the tab is closed, the browser comes back."""
    page = open_work(page_of, anna, held)
    page.locator("#overview").fill("A diver jumps.")
    page.locator("#overview").blur()
    expect(state(page)).to_have_text(SAVED)
    page.locator("#objects").press_sequentially("She wears ")
    page.context.set_offline(True)
    page.locator("#objects").press_sequentially("red trunks and")
    expect(state(page)).to_have_text("Offline, kept on this device")
    expect(page).to_have_title(re.compile("^Offline: "))
    screenshot(page, "write-offline")
    page.locator("#objects").press_sequentially(" a cap")
    close_tab(page)

    # What had reached the server is there for any device, and nothing else is.
    elsewhere = open_work(page_of, anna, held)
    expect(elsewhere.locator("#overview")).to_have_value("A diver jumps.")
    elsewhere.close()
    context = page.context
    context.set_offline(False)

    again = context.new_page()
    visit(again, held)
    expect(again.locator("#objects")).to_have_value("She wears red trunks and a cap")
    expect(again.get_by_text("Text kept on this device is back")).to_be_visible()
    expect(state(again)).to_have_text(SAVED)
    assert stored(held)["objects"] == "She wears red trunks and a cap"
    assert stored(held)["overview"] == "A diver jumps."
    assert local_copies(again) == []


def check_that_a_save_whose_reply_was_lost_is_no_conflict(page, held):
    lost = []

    def lose_first_reply(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch())  # the server has it, the page never hears of it
        return route.abort()

    page.route("**/draft/", lose_first_reply)
    page.locator("#misc").fill("Filmed from")
    page.locator("#misc").blur()
    expect(state(page)).to_have_text("Offline, kept on this device")
    # However often it was tried again meanwhile, with more text each time.
    page.context.set_offline(True)
    for word in ("above", "by", "a", "man", "on", "the", "third", "floor", "with"):
        page.locator("#misc").press("End")
        page.locator("#misc").press_sequentially(f" {word}")
        with page.expect_event("requestfailed"):
            page.evaluate("dispatchEvent(new Event('online'))")
    page.context.set_offline(False)
    page.locator("#misc").press_sequentially(" glasses.")
    expect(state(page)).to_have_text(SAVED, timeout=15_000)
    expect(page.locator("#conflict")).to_be_hidden()
    assert stored(held)["misc"] == "Filmed from above by a man on the third floor with glasses."
    page.unroute("**/draft/")


def check_that_a_save_whose_reply_was_lost_is_no_conflict_on_the_page_as_it_was_before(page, held):
    address = f"/assignments/{held.pk}/"
    before = page.request.get(address).text()
    page.route("**/draft/", lambda route: (route.fetch(), route.abort()))
    page.locator("#actions").fill("She dives.")
    page.locator("#actions").blur()
    expect(state(page)).to_have_text("Offline, kept on this device")
    page.locator("#actions").fill("She dives in a pike.")
    page.wait_for_timeout(300)  # long enough to be kept on this device
    page.unroute("**/draft/")
    page.route("**/draft/", lambda route: route.abort())
    page.route(f"**{address}", lambda route: route.fulfill(body=before, content_type="text/html"))
    page.goto(address)
    expect(page.locator("#actions")).to_have_value("She dives in a pike.")
    page.unroute("**/draft/")
    expect(state(page)).to_have_text(SAVED, timeout=15_000)
    expect(page.locator("#conflict")).to_be_hidden()
    assert stored(held)["actions"] == "She dives in a pike."
    page.unroute(f"**{address}")


def test_text_that_did_not_reach_the_server_is_no_conflict_and_listed_where_work_is_chosen(
    page_of, anna, held, project, console_errors
):
    console_errors.expect("status of 409")
    page = open_work(page_of, anna, held)
    check_that_a_save_whose_reply_was_lost_is_no_conflict(page, held)
    check_that_a_save_whose_reply_was_lost_is_no_conflict_on_the_page_as_it_was_before(page, held)
    page.route("**/draft/", lambda route: route.abort())
    page.locator("#objects").fill("Red trunks.")
    page.locator("#objects").blur()
    expect(state(page)).to_have_text("Offline, kept on this device")
    page.goto(f"/p/{project.slug}/")
    listed = page.get_by_role("region", name="Not sent yet")
    expect(listed.get_by_role("link")).to_have_text(re.compile("^Write"))
    kept_at = re.compile(r"^\d+ \w{3} \d{4}, \d\d:\d\d UTC$")
    expect(listed.get_by_role("time")).to_have_text(kept_at)
    page.unroute("**/draft/")
    listed.get_by_role("link").click()
    expect(state(page)).to_have_text(SAVED)
    page.goto(f"/p/{project.slug}/")
    expect(listed).to_be_hidden()


def test_without_local_storage_it_says_so_once_and_saves_on(page_of, anna, held):
    page = page_of(anna)
    page.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"
    )
    visit(page, held)
    page.locator("#overview").press_sequentially("A diver")
    page.locator("#overview").blur()
    expect(page.get_by_text("This browser keeps no copy of your text")).to_have_count(1)
    expect(state(page)).to_have_text(SAVED)
    page.locator("#overview").press("End")
    page.locator("#overview").press_sequentially(" jumps.")
    page.locator("#overview").blur()
    expect(state(page)).to_have_text(SAVED)
    expect(page.get_by_text("This browser keeps no copy of your text")).to_have_count(1)
    assert stored(held)["overview"] == "A diver jumps."


def test_leaving_is_stopped_only_when_text_would_be_lost(page_of, anna, held):
    dialogs = []
    page = page_of(anna)
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    visit(page, held)
    page.context.set_offline(True)
    page.locator("#overview").press_sequentially("Kept on this device")
    page.context.set_offline(False)
    page.goto("/")
    assert dialogs == []
    visit(page, held)
    expect(state(page)).to_have_text(SAVED)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full') } }")
    page.route("**/draft/", lambda route: route.abort())
    page.locator("#overview").press_sequentially(" nowhere")
    page.locator("#overview").blur()
    expect(state(page)).to_have_text("Offline, keep this page open")
    page.goto("/")
    assert dialogs == ["beforeunload"]


WORK_CACHES = "async () => (await caches.keys()).filter((name) => name.startsWith('work:'))"
WAIT = """
async ([condition, page]) => {
  const holds = {
    kept: async () => Boolean(await caches.match(page, { ignoreVary: true })),
    draft: async () => Boolean(await caches.match(`${page}kept-draft`)),
    forgotten: async () => !(await caches.keys()).some((name) => name.startsWith("work:")),
  }[condition];
  for (let left = 500; !(await holds()); left--) {
    if (left === 0) throw new Error(`not ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
"""


def test_a_page_that_was_open_opens_again_without_a_network(
    page_of, live, anna, ben, held, axe, screenshot, console_errors
):
    # What a page sends while it closes can get through, as Chromium is offline page by page.
    console_errors.expect("status of 409")
    page = open_work(page_of, anna, held, service_workers="allow")
    address = f"/assignments/{held.pk}/"
    page.evaluate(WAIT, ["kept", address])
    page.locator("#overview").fill("A diver jumps.")
    page.locator("#overview").blur()
    expect(state(page)).to_have_text(SAVED)
    page.evaluate(WAIT, ["draft", address])
    context = page.context
    context.set_offline(True)
    page.locator("#objects").fill("Red trunks.")
    expect(state(page)).to_have_text("Offline, kept on this device")
    close_tab(page)

    again = context.new_page()
    visit(again, held)
    expect(again.get_by_text("No connection. The page is as it was")).to_be_visible()
    expect(again.locator("#overview")).to_have_value("A diver jumps.")  # saved after it opened
    expect(again.locator("#objects")).to_have_value("Red trunks.")  # never sent
    again.locator("#objects").fill("Red trunks and a cap.")
    expect(state(again)).to_have_text("Offline, kept on this device")
    axe(again)
    screenshot(again, "write-opened-offline")
    assert stored(held)["overview"] == "A diver jumps."

    elsewhere = context.new_page()
    context.set_offline(False)
    elsewhere.goto(f"/p/{held.item.project.slug}/")
    expect(state(again)).to_have_text(SAVED)
    assert stored(held)["objects"] == "Red trunks and a cap."

    assert elsewhere.evaluate(WORK_CACHES) == [f"work:{anna.pk}"]
    session = {"name": settings.SESSION_COOKIE_NAME, "value": session_of(ben)}
    context.add_cookies([{**session, "url": live.url}])
    elsewhere.goto("/")
    elsewhere.evaluate(WAIT, ["forgotten", address])
    context.set_offline(True)
    with pytest.raises(Error, match="ERR_"):
        again.goto(address)
