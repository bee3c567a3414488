"""What the browser tests of work pages have in common."""

import re

from django.urls import reverse

SAVED = re.compile(r"^Saved (just now|\d+ s ago)$")
BROKEN = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION"  # what Chromium notes when offline


def open_work(page_of, person, assignment, *, clock=False, **options):
    """`clock`: the page's time can be moved on with `page.clock`, and flows by itself too."""
    page = page_of(person, **options)
    if clock:
        page.clock.install()
    visit(page, assignment)
    return page


def visit(page, assignment):
    page.goto(reverse("annotate:work", args=[assignment.pk]))
    page.wait_for_selector("#save-state")


def close_tab(page):
    with page.expect_event("close"):
        page.close(run_before_unload=True)


def stored(assignment):
    assignment.refresh_from_db()
    return assignment.draft


def state(page):
    return page.locator("#save-state")


def local_copies(page):
    return page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('draft:'))")
