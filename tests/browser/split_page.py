"""What a person does on the Split page, for its browser tests."""

from __future__ import annotations

from django.urls import reverse
from playwright.sync_api import expect

from tests.split_work import MERGED

OVERVIEW = MERGED["overview"]


def open_split(page_of, person, assignment, **options):
    page = page_of(person, **options)
    page.goto(reverse("annotate:work", args=[assignment.pk]))
    page.wait_for_selector("#save-state")
    return page


def choose(page, number, target):
    page.locator(f"#row-{number - 1} input[value={target.lower()}]").check()


def submit(page):
    """Submits and, asked about what is open, submits again."""
    page.locator("#submit-only").click()
    expect(page.locator("#undecided:visible, #warned:visible").first).to_be_visible()
    page.locator("#submit-only").click()


def texts(page):
    return page.locator("#spatial").input_value(), page.locator("#temporal").input_value()


def wait_saved(page, assignment):
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    assignment.refresh_from_db()


def selected(page, field):
    return page.evaluate(
        "(id) => { const box = document.getElementById(id);"
        " return box.value.slice(box.selectionStart, box.selectionEnd) }",
        field,
    )
