"""A program is declared, and compared with people, in a real browser."""

from __future__ import annotations

from django.urls import reverse
from playwright.sync_api import expect

from review.reports.services import recompute
from tests.cast import make_clip
from tests.hand_work import machine_caption
from tests.review.agreement.agreeing import THREE, label_sentences


def test_an_admin_declares_a_program_and_compares_it(
    page_of, project, anna, ben, rita, ada, axe, screenshot
):
    for number in range(12):
        caption = machine_caption(make_clip(project), THREE)
        for person in (anna, ben, rita):
            sees = number % 2 == 0 and person != rita
            label_sentences(caption, person, "A" if sees else "", "B" if sees else "", "")
    page = page_of(ada)
    address = reverse("review:report_page", args=[project.slug, "programs"])
    page.goto(address)
    expect(page.get_by_text("No member is a program")).to_be_visible()
    axe(page)
    screenshot(page, "programs-empty", full_page=True)
    page.get_by_role("link", name="Members", exact=True).last.click()
    page.get_by_role("button", name="Change Rita").click()
    page.get_by_text("Person or program…").locator("visible=true").click()
    page.get_by_label("Its model").locator("visible=true").fill("Judge 7B (2026-03)")
    axe(page)
    screenshot(page, "program-dialog", full_page=True)
    page.locator("dialog[open] form[action$='/program/']").get_by_role("button").click()
    expect(page.get_by_role("row", name="Rita")).to_contain_text("program · Judge 7B (2026-03)")
    screenshot(page, "program-members", full_page=True)
    recompute(project=project, name="programs")
    page.goto(address)
    expect(page.get_by_role("columnheader", name="True positive rate")).to_be_visible()
    axe(page)
    screenshot(page, "programs", full_page=True)
