"""The bell, the page of notices and what one chooses there, in a real browser."""

import re

from django.utils.timezone import now
from playwright.sync_api import expect

from annotate.models import Notice
from tests.annotate.notices.noticing import tell
from tests.browser.looks import schemes, scrolls_sideways, widths
from tests.cast import make_clip
from tests.work import hold, make_work

SENT_BACK = "Your write-up of Clip 12 was sent back to you."


def test_notices_are_read_in_place_and_chosen(page_of, axe, screenshot, project, anna, ben, emil):
    held = hold(anna, make_work(make_clip(project)))
    tell(
        anna,
        project,
        held,
        text=SENT_BACK,
        detail="Which hand holds the knife? Say it in the second sentence, and name the colors.",
    )
    for subject, kind, text, detail in (
        (ben, Notice.Kind.ANSWERED, "Your question about Clip 8 was answered.", "A bear."),
        (emil, Notice.Kind.PAY, "Your pay up to 31 October 2026 is approved: 412.50 EUR.", ""),
    ):
        tell(anna, project, subject, kind=kind, text=text, detail=detail)
    page = page_of(anna)
    page.goto("/p/dives/questions/")
    bell = page.get_by_role("link", name="Notices 3 unread")
    bell.click()
    for width in widths(page):
        assert not scrolls_sideways(page), width
        for _ in schemes(page):
            axe(page)
    screenshot(page, "notices")
    page.get_by_role("button", name=f"Mark as read {SENT_BACK}").click()
    expect(page.get_by_role("link", name="Notices 2 unread")).to_be_visible()
    expect(page.get_by_role("link", name=SENT_BACK)).to_have_count(0)
    every = page.get_by_role("link", name="All", exact=True)
    every.click()
    expect(every).to_have_attribute("aria-current", "page")
    screenshot(page, "notices-all")
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_text("2 notices marked as read.")).to_be_visible()
    expect(page.get_by_role("heading", name="You have read everything")).to_be_visible()
    expect(page.locator("#bell")).to_have_text("Notices")
    screenshot(page, "notices-empty")

    page.get_by_role("link", name="Choose notices").click()
    page.get_by_label("By mail: Your question was answered").uncheck()
    for width in widths(page):
        assert not scrolls_sideways(page), width
    axe(page)
    screenshot(page, "notices-choices")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert anna.notice_choices.off_by_mail == ["answered"]


def test_a_button_pressed_while_its_list_loads_acts_once_the_list_is_there(
    page_of, project, anna, ben
):
    held = hold(anna, make_work(make_clip(project)))
    tell(anna, project, held, text="Sent back.")
    tell(anna, project, ben, kind=Notice.Kind.ANSWERED, text="Answered.")
    page = page_of(anna)
    page.goto("/notices/")
    read_while_loading(page, page.get_by_role("link", name="All", exact=True), "Sent back.")
    expect(page.get_by_role("link", name="Notices 1 unread")).to_be_visible()
    expect(page.get_by_role("link", name="All", exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    expect(page.get_by_role("button", name="Mark as read")).to_have_count(1)
    # The same if the loaded list no longer has the row.
    Notice.objects.update(read_at=now())
    read_while_loading(page, page.get_by_role("link", name="Unread 1", exact=True), "Answered.")
    expect(page.locator("#bell")).to_have_text("Notices")
    check_a_tab_waits_until_the_form_beside_it_is_saved(page)


def check_a_tab_waits_until_the_form_beside_it_is_saved(page):
    Notice.objects.update(read_at=None)
    page.goto("/notices/?tab=all")
    routes = []
    page.route("**/notices/*/read/**", lambda route: routes.append(route), times=1)
    with page.expect_request("**/notices/*/read/**"):
        page.get_by_role("button", name="Mark as read Answered.", exact=True).click()
    page.get_by_role("link", name="Unread 2", exact=True).click()
    routes[0].continue_()
    expect(page.get_by_role("link", name="Unread 1", exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    expect(page).to_have_url(re.compile("tab=unread"))


def read_while_loading(page, link, text):
    """Follow the link, and mark a notice as read before the list is there."""
    routes = []
    page.route("**/notices/?tab=*", lambda route: routes.append(route), times=1)
    with page.expect_request("**/notices/?tab=*"):
        link.click()
    page.get_by_role("button", name=f"Mark as read {text}", exact=True).click()
    with page.expect_request("**/notices/*/read/**"):
        routes[0].continue_()
