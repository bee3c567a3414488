"""Filters, tabs and forms that change a part of their page: what only a browser shows."""

import re

import pytest
from playwright.sync_api import expect

from annotate.models import Membership
from annotate.projects.services.members import invite
from tests.cast import make_clip

AWAY = "The server doesn’t answer. Try again."


@pytest.fixture
def corpus(project, page_of, ada, console_errors):
    console_errors.expect("poster.jpg")  # these clips have no pictures
    make_clip(project, original_name="bikes.mp4")
    make_clip(project, original_name="boats.mp4")
    page = page_of(ada)
    page.goto("/p/dives/corpus/")
    page.evaluate("window.isSamePage = true")
    return page


def is_same(page):
    return page.evaluate("window.isSamePage === true")


def test_a_filter_swaps_the_list_and_keeps_focus_and_address(corpus):
    name = corpus.locator("#id_q")
    name.fill("bike")
    name.press("Enter")
    expect(corpus.locator("#announcement")).to_have_text("1 clip")
    expect(corpus.get_by_role("link", name="boats")).to_have_count(0)
    expect(corpus).to_have_url(re.compile(r"\?q=bike"))
    expect(name).to_be_focused()
    # So does a choice of columns, whose menu stays open.
    corpus.locator("summary", has_text="Columns").click()
    menu = corpus.locator("#columns-menu")
    menu.get_by_label("Length").uncheck()
    menu.get_by_role("button", name="Show these").press("Enter")
    expect(corpus.get_by_role("columnheader", name="Length")).to_have_count(0)
    expect(corpus.locator("#announcement")).to_have_text(re.compile("Columns shown: .* and Added"))
    expect(menu.get_by_role("button", name="Show these")).to_be_focused()
    expect(corpus).to_have_url(re.compile(r"\?q=bike"))
    corpus.set_viewport_size({"width": 390, "height": 844})
    corpus.locator("[data-every-column]").check()
    menu.locator("summary").click()
    menu.get_by_role("button", name="Show these").click()
    expect(corpus.locator("#announcement")).to_have_text(re.compile("Columns shown"))
    expect(corpus.locator("[data-every-column]")).to_be_checked()
    assert is_same(corpus)
    corpus.go_back()
    expect(corpus.get_by_role("link", name="boats")).to_be_visible()
    expect(corpus).to_have_url(re.compile(r"corpus/$"))
    corpus.go_forward()
    expect(corpus.get_by_role("link", name="boats")).to_have_count(0)
    corpus.reload()
    expect(corpus.get_by_role("link", name="bikes")).to_be_visible()
    expect(corpus.get_by_role("link", name="boats")).to_have_count(0)
    # Six filters need no second row on a desktop.
    corpus.set_viewport_size({"width": 1280, "height": 800})
    corpus.goto("/p/dives/audit-log/?action=a")
    fields = corpus.get_by_role("search", name="Changes").locator("> *").all()
    boxes = [field.bounding_box() for field in fields]
    ends = [box["y"] + box["height"] for box in boxes]
    assert max(ends) - min(ends) < 4


def test_the_focus_moves_on_where_the_clicked_link_goes_away(corpus):
    corpus.locator("#id_q").fill("bike")
    corpus.locator("#id_q").press("Enter")
    corpus.get_by_role("link", name="Clear").click()
    expect(corpus.get_by_role("link", name="boats")).to_be_visible()
    expect(corpus.locator("#clips :focus")).to_have_count(1)
    assert is_same(corpus)


def test_nothing_of_a_list_is_kept_in_the_browser(corpus):
    corpus.locator("#id_q").fill("bike")
    corpus.locator("#id_q").press("Enter")
    expect(corpus.locator("#announcement")).to_have_text("1 clip")
    stored = "[sessionStorage, localStorage].map((s) => s.getItem('htmx-history-cache'))"
    assert corpus.evaluate(stored) == [None, None]


def test_a_filter_says_that_the_server_is_away_and_keeps_what_was_typed(corpus, console_errors):
    console_errors.expect("htmx:|Failed to load resource")
    corpus.route("**/corpus/?*", lambda route: route.abort())
    name = corpus.locator("#id_q")
    name.fill("bike")
    name.press("Enter")
    expect(corpus.locator("#server-state")).to_have_text(AWAY)
    expect(name).to_have_value("bike")
    corpus.unroute("**/corpus/?*")
    name.press("Enter")
    expect(corpus.locator("#server-state")).to_have_text("")
    expect(corpus.locator("#announcement")).to_have_text("1 clip")


def test_who_is_signed_out_comes_to_the_page_that_signs_in(corpus):
    corpus.context.clear_cookies()
    corpus.locator("#id_q").fill("bike")
    corpus.locator("#id_q").press("Enter")
    expect(corpus.get_by_label("Password")).to_be_visible()


@pytest.fixture
def members(project, page_of, ada, anna):
    invite(project=project, admin=ada, roles=["annotator"], email="cara@example.org")
    page = page_of(ada)
    page.goto("/p/dives/members/")
    page.evaluate("window.isSamePage = true")
    return page


def test_roles_change_in_place_and_the_focus_returns_to_the_button(members):
    change = members.get_by_role("button", name="Change Anna")
    change.click()
    members.get_by_role("dialog").get_by_label("Expert: merges").check()
    members.get_by_role("button", name="Save roles").click()
    expect(members.get_by_text("Roles of Anna saved.")).to_be_visible()
    expect(change).to_be_focused()
    expect(members.get_by_role("row", name=re.compile("Anna"))).to_contain_text("Expert")
    assert is_same(members)


def test_a_member_is_removed_in_place(members, anna):
    members.get_by_role("button", name="Change Anna").click()
    members.get_by_role("dialog").get_by_text("Remove from the project…").click()
    members.get_by_role("button", name="Remove Anna").click()
    expect(members.get_by_text("Anna is no longer in this project.")).to_be_visible()
    expect(members.get_by_role("button", name="Change Anna")).to_have_count(0)
    assert is_same(members)
    assert not Membership.objects.filter(user=anna).exists()


def test_a_withdrawn_invitation_leaves_the_list(members):
    members.get_by_role("button", name="Withdraw").click()
    expect(members.get_by_text("its link no longer works")).to_be_visible()
    expect(members.get_by_role("heading", name="Open invitations")).to_have_count(0)
    expect(members).to_have_url(re.compile("/members/$"))
    assert is_same(members)


def test_a_wrong_field_is_marked_and_takes_the_focus(members, console_errors):
    console_errors.expect("422")
    email = members.get_by_label("E-mail address")
    email.fill("x@y")
    members.get_by_role("button", name="Make a link").click()
    expect(email).to_have_attribute("aria-invalid", "true")
    expect(email).to_have_value("x@y")
    expect(email).to_be_focused()
    expect(members).to_have_url(re.compile("/members/$"))
    assert is_same(members)


def test_a_save_that_no_server_hears_is_said_and_nothing_is_lost(members, console_errors):
    console_errors.expect("htmx:|Failed to load resource")
    members.route("**/members/invite/", lambda route: route.abort())
    email = members.get_by_label("E-mail address")
    email.fill("dora@example.org")
    members.locator("#invite").get_by_label("Annotator: writes").check()
    members.get_by_role("button", name="Make a link").click()
    expect(members.locator("#server-state")).to_contain_text("may not be saved")
    expect(email).to_have_value("dora@example.org")
