"""Filters, tabs and forms that change a part of their page: what only a browser shows."""

import re

from playwright.sync_api import expect

from annotate.models import Membership
from annotate.projects.services.members import invite
from tests.cast import PASSWORD, make_clip

AWAY = "The server doesn’t answer. Try again."


def is_same(page):
    return page.evaluate("window.isSamePage === true")


def note_page(page):
    page.evaluate("window.isSamePage = true")


def filter_by(page, name):
    page.locator("#id_q").fill(name)
    page.locator("#id_q").press("Enter")


def test_a_list_is_filtered_in_place(project, page_of, ada, console_errors):
    console_errors.expect("poster.jpg")  # these clips have no pictures
    make_clip(project, original_name="bikes.mp4")
    make_clip(project, original_name="boats.mp4")
    page = page_of(ada)
    check_six_filters_need_no_second_row_on_a_desktop(page)
    page.goto("/p/dives/corpus/")
    note_page(page)
    check_focus_and_address_stay(page)
    check_columns_are_chosen_while_their_menu_stays_open(page)
    check_nothing_is_kept_in_the_browser(page)
    check_going_back_and_forward(page)
    check_focus_moves_on_where_the_clicked_link_goes_away(page)
    assert console_errors.unexpected == []
    console_errors.expect("htmx:|Failed to load resource|Error Code 401")
    check_typed_filter_stays_while_the_server_is_away(page)
    check_signed_out_person_comes_to_the_page_that_signs_in(page)


def check_six_filters_need_no_second_row_on_a_desktop(page):
    page.goto("/p/dives/audit-log/?action=a")
    fields = page.get_by_role("search", name="Changes").locator("> *")
    ends = fields.evaluate_all("all => all.map((each) => each.getBoundingClientRect().bottom)")
    assert len(ends) > 1
    assert max(ends) - min(ends) < 4


def check_focus_and_address_stay(page):
    filter_by(page, "bike")
    expect(page.locator("#announcement")).to_have_text("1 clip")
    expect(page.get_by_role("link", name="boats")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"\?q=bike"))
    expect(page.locator("#id_q")).to_be_focused()
    assert is_same(page)


def check_columns_are_chosen_while_their_menu_stays_open(page):
    page.locator("summary", has_text="Columns").click()
    menu = page.locator("#columns-menu")
    menu.get_by_text("Length").click()  # a press on the words moves the focus out of the menu
    menu.get_by_role("button", name="Show these").press("Enter")
    expect(page.get_by_role("columnheader", name="Length")).to_have_count(0)
    expect(page.locator("#announcement")).to_have_text(re.compile("Columns shown: .* and Added"))
    expect(menu.get_by_role("button", name="Show these")).to_be_focused()
    expect(page).to_have_url(re.compile(r"\?q=bike"))
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("[data-every-column]").check()
    menu.locator("summary").click()
    menu.get_by_role("button", name="Show these").click()
    expect(page.locator("#announcement")).to_have_text(re.compile("Columns shown"))
    expect(page.locator("[data-every-column]")).to_be_checked()
    assert is_same(page)
    page.set_viewport_size({"width": 1280, "height": 800})


def check_nothing_is_kept_in_the_browser(page):
    stored = "[sessionStorage, localStorage].map((s) => s.getItem('htmx-history-cache'))"
    assert page.evaluate(stored) == [None, None]


def check_going_back_and_forward(page):
    page.go_back()
    expect(page.get_by_role("link", name="boats")).to_be_visible()
    expect(page).to_have_url(re.compile(r"corpus/$"))
    page.go_forward()
    expect(page.get_by_role("link", name="boats")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("link", name="bikes")).to_be_visible()
    expect(page.get_by_role("link", name="boats")).to_have_count(0)


def check_focus_moves_on_where_the_clicked_link_goes_away(page):
    note_page(page)
    page.get_by_role("link", name="Clear").click()
    expect(page.get_by_role("link", name="boats")).to_be_visible()
    expect(page.locator("#clips :focus")).to_have_count(1)
    assert is_same(page)


def check_typed_filter_stays_while_the_server_is_away(page):
    page.route("**/corpus/?*", lambda route: route.abort())
    filter_by(page, "bike")
    expect(page.locator("#server-state")).to_have_text(AWAY)
    expect(page.locator("#id_q")).to_have_value("bike")
    page.unroute("**/corpus/?*")
    page.locator("#id_q").press("Enter")
    expect(page.locator("#server-state")).to_have_text("")
    expect(page.locator("#announcement")).to_have_text("1 clip")


def check_signed_out_person_comes_to_the_page_that_signs_in(page):
    page.context.clear_cookies()
    filter_by(page, "boat")
    expect(page.get_by_label("Password")).to_be_visible()


def test_members_change_in_place(project, page_of, ada, anna, console_errors):
    invite(project=project, admin=ada, roles=["annotator"], email="cara@example.org")
    page = page_of(ada)
    page.goto("/p/dives/members/")
    note_page(page)
    check_role_is_saved_and_the_focus_returns(page)
    check_invitation_is_withdrawn(page)
    assert console_errors.unexpected == []
    console_errors.expect("422")
    check_wrong_field_is_marked_and_takes_the_focus(page)
    check_refused_roles_stay_in_their_dialog(page)
    check_member_is_removed(page)
    assert is_same(page)
    assert not Membership.objects.filter(user=anna).exists()
    assert console_errors.unexpected == []
    console_errors.expect("htmx:|Failed to load resource|Error Code 401")
    check_nothing_is_lost_that_no_server_hears(page)
    check_signed_out_person_sends_the_form_after_signing_in_elsewhere(page, ada)
    assert is_same(page)


def check_role_is_saved_and_the_focus_returns(page):
    change = page.get_by_role("button", name="Change Anna")
    change.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Annotator: writes")).to_be_checked()
    dialog.get_by_label("Expert: merges").check()
    dialog.get_by_role("button", name="Save roles").click()
    expect(page.get_by_text("Roles of Anna saved.")).to_be_visible()
    expect(change).to_be_focused()
    expect(page.get_by_role("row", name=re.compile("Anna"))).to_contain_text("Expert")
    assert is_same(page)


def check_invitation_is_withdrawn(page):
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("its link no longer works")).to_be_visible()
    expect(page.get_by_role("heading", name="Open invitations")).to_have_count(0)
    expect(page).to_have_url(re.compile("/members/$"))
    assert is_same(page)


def check_wrong_field_is_marked_and_takes_the_focus(page):
    email = page.get_by_label("Email")
    email.fill("x@y")
    page.get_by_role("button", name="Make a link").click()
    expect(email).to_have_attribute("aria-invalid", "true")
    expect(email).to_have_value("x@y")
    expect(email).to_be_focused()
    expect(page).to_have_url(re.compile("/members/$"))
    assert is_same(page)


def check_refused_roles_stay_in_their_dialog(page):
    change, dialog = page.get_by_role("button", name="Change Anna"), page.get_by_role("dialog")
    email = page.get_by_label("Email")
    for leave in (
        dialog.get_by_role("link", name="Cancel").click,
        lambda: page.keyboard.press("Escape"),
    ):
        change.click()
        expect(dialog.locator("input[name=roles]:checked")).to_have_count(2)
        for box in dialog.locator("input[name=roles]").all():
            box.uncheck()
        dialog.get_by_role("button", name="Save roles").click()
        expect(dialog.get_by_text("Choose at least one role.")).to_be_focused()
        assert dialog.evaluate("(dialog) => dialog.matches(':modal')")
        expect(dialog.locator("input[name=roles]:checked")).to_have_count(0)
        email.evaluate("(email) => email.value = 'dora@example.org'")
        leave()
        expect(change).to_be_focused()
        expect(page.locator("dialog .error")).to_have_count(0)
        expect(email).to_have_value("dora@example.org")
    assert is_same(page)


def test_roles_change_without_scripts(project, page_of, ada, anna, console_errors):
    console_errors.expect("422")
    page = page_of(ada, java_script_enabled=False)
    page.goto("/p/dives/members/")
    dialog = page.locator("dialog", has=page.get_by_role("heading", name="Anna"))
    expect(dialog).to_be_hidden()
    page.get_by_role("link", name="Change Anna").click()
    dialog.get_by_label("Annotator: writes").uncheck()
    dialog.get_by_role("button", name="Save roles").click()
    expect(dialog.get_by_text("Choose at least one role.")).to_be_visible()
    dialog.get_by_role("link", name="Cancel").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("link", name="Change Anna").click()
    dialog.get_by_label("Expert: merges").check()
    dialog.get_by_role("button", name="Save roles").click()
    expect(page.get_by_text("Roles of Anna saved.")).to_be_visible()
    assert Membership.objects.get(user=anna).roles == ["annotator", "expert"]


def check_member_is_removed(page):
    page.get_by_role("button", name="Change Anna").click()
    page.get_by_role("dialog").get_by_text("Remove from the project…").click()
    page.get_by_role("button", name="Remove Anna").click()
    expect(page.get_by_text("Anna is no longer in this project.")).to_be_visible()
    expect(page.get_by_role("button", name="Change Anna")).to_have_count(0)


def check_nothing_is_lost_that_no_server_hears(page):
    page.route("**/members/invite/", lambda route: route.abort())
    email = page.get_by_label("Email")
    email.fill("dora@example.org")
    page.locator("#invite").get_by_label("Annotator: writes").check()
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator("#server-state")).to_contain_text("may not be saved")
    expect(email).to_have_value("dora@example.org")
    page.unroute("**/members/invite/")


def check_signed_out_person_sends_the_form_after_signing_in_elsewhere(page, ada):
    send = page.get_by_role("button", name="Make a link")
    send_signed_out_and_sign_in(page, send, ada)
    expect(page.get_by_label("Email")).to_have_value("dora@example.org")
    send.click()
    expect(page.get_by_role("row", name=re.compile("dora@example.org"))).to_be_visible()
    expect(page.locator("#server-state")).to_be_empty()


def send_signed_out_and_sign_in(page, send, person):
    page.context.clear_cookies(name="sessionid")
    state = page.locator("#server-state")
    send.click()
    expect(state).to_contain_text("You are signed out. What you typed is still here.")
    with page.context.expect_page() as opened:
        state.get_by_role("link", name="Sign in in another tab").click()
    sign_in_to(opened.value, person)
    opened.value.close()


def sign_in_to(page, person):
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()


# A second click once the answer came, while the new page loads.
CLICK_AGAIN = """button => document.addEventListener("htmx:afterRequest",
  () => setTimeout(() => button.click()), {once: true})"""


def test_a_form_that_makes_something_keeps_what_was_typed_and_opens_it(
    project, page_of, ada, console_errors
):
    console_errors.expect("htmx:|Failed to load resource|Error Code 401")
    page = page_of(ada)
    page.goto("/p/dives/settings/duplicate/")
    note_page(page)
    name, slug = page.get_by_label("Name"), page.get_by_label("Address")
    create = page.get_by_role("button", name="Create project")
    name.fill("Sea")
    slug.fill("dives")
    create.click()
    expect(slug).to_have_attribute("aria-invalid", "true")
    expect(slug).to_be_focused()
    slug.fill("sea")
    send_signed_out_and_sign_in(page, create, ada)
    expect(name).to_have_value("Sea")
    expect(slug).to_have_value("sea")
    assert is_same(page)
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    create.evaluate(CLICK_AGAIN)
    create.click()
    expect(page).to_have_url(re.compile("/p/sea/settings/"))
    assert len(sent) == 1
    expect(page.locator("#toasts")).to_contain_text("Sea")
