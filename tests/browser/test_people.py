"""From an invitation link to a project of one's own, in a real browser."""

import re

from playwright.sync_api import expect

from annotate.imports.services import add_item, open_batch
from annotate.models import ImportItem
from annotate.projects.services.members import invite
from tests.browser.looks import schemes, scrolls_sideways
from tests.cast import PASSWORD, make_person


def test_somebody_invited_makes_an_account_and_signs_in_again(page_of, ada):
    admin = page_of(ada)
    admin.goto("/p/dives/members/")
    admin.get_by_label("Email").fill("cara@example.org")
    admin.locator("#invite").get_by_label("Annotator: writes").check()
    admin.get_by_role("button", name="Make a link").click()
    link = admin.get_by_label("Link for cara@example.org").input_value()
    admin.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(admin.get_by_role("button", name="Copy")).to_be_focused()
    admin.keyboard.press("Enter")
    expect(admin.get_by_role("button", name="Copied")).to_be_visible()
    assert admin.evaluate("navigator.clipboard.readText()") == link

    visitor = page_of(None)
    visitor.goto(link)
    expect(visitor.get_by_label("Email")).to_have_value("cara@example.org")
    visitor.get_by_label("Your name").fill("Cara")
    visitor.get_by_label("Password").fill(PASSWORD)
    visitor.get_by_role("button", name="Create account and join").click()
    expect(visitor).to_have_url(re.compile("/p/dives/$"))

    later = page_of(None)
    later.goto("/p/dives/")
    later.get_by_label("Email").fill("cara@example.org")
    later.get_by_label("Password").fill(PASSWORD)
    later.get_by_role("button", name="Sign in").click()
    expect(later).to_have_url(re.compile("/p/dives/$"))


def fits_its_tables(page) -> bool:
    return page.locator(".table-scroll").evaluate_all(
        "(boxes) => boxes.every((box) => box.scrollWidth <= box.clientWidth)"
    )


def test_the_pages_are_accessible_and_fit_a_phone(page_of, axe, screenshot, project, ada, anna):
    project.name = "Everyday life of extraordinarily long project names"
    project.save()
    make_person("Maximiliana-Friederike von und zu Hohenstein", project, "annotator", "expert")
    invite(
        project=project, admin=ada, email="cara@long-name-of-a-host.example", roles=["annotator"]
    )
    page = page_of(ada)
    for name, address in {
        "projects": "/",
        "project-new": "/projects/new/",
        "settings": "/p/dives/settings/",
        "members": "/p/dives/members/",
    }.items():
        page.goto(address)
        for _ in schemes(page):
            axe(page)
        screenshot(page, name)
        check_phone(page, address)
        page.set_viewport_size({"width": 1280, "height": 800})
    check_theme_stays_as_it_was_chosen(page)
    visitor = page_of(None)
    for address in ("/accounts/sign-in/", "/accounts/sign-up/", "/accounts/password/reset/"):
        visitor.goto(address)
        for _ in schemes(visitor):
            axe(visitor)


def check_phone(page, address):
    page.set_viewport_size({"width": 390, "height": 844})
    assert not scrolls_sideways(page), address
    assert fits_its_tables(page), address


def check_theme_stays_as_it_was_chosen(page):
    page.get_by_text("Ada").first.click()
    page.get_by_label("Dark").check()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_no_import_scrolls_sideways_on_a_phone(page_of, project, ada):
    batch = open_batch(project=project, admin=ada)
    item = add_item(batch=batch, name="a-very-long-name-" * 9 + ".mp4", size=3)
    reason = "The file ends too early. Send the whole file again."
    ImportItem.objects.filter(pk=item.pk).update(
        state="failed", code="truncated", reason=reason, category="Sports and other events"
    )
    page = page_of(ada)
    for address in ("/p/dives/imports/", f"/p/dives/imports/{batch.pk}/"):
        page.goto(address)
        check_phone(page, address)
