"""Numbers without one person, switched on a page in a real browser."""

from __future__ import annotations

from django.urls import reverse
from playwright.sync_api import expect

from review.reports.services import recompute
from tests.cast import make_clip
from tests.hand_work import machine_caption
from tests.review.agreement.agreeing import THREE, label_sentences


def test_an_admin_sees_who_overlooks_errors_and_leaves_them_out(
    page_of, project, anna, ben, rita, ada, axe, screenshot
):
    for number in range(12):
        caption = machine_caption(make_clip(project), THREE)
        for person in (anna, ben, rita):
            sees = number % 2 == 0 and person != rita
            label_sentences(caption, person, "A" if sees else "", "", "")
    for name in ("agreement", "reliability"):
        recompute(project=project, name=name)
    page = page_of(ada)
    page.goto(reverse("review:report_page", args=[project.slug, "reliability"]))
    last = page.get_by_role("row").last
    expect(last.get_by_role("rowheader")).to_have_text("Rita")
    axe(page)
    screenshot(page, "reliability", full_page=True)
    page.get_by_role("link", name="with and without people").click()
    section = page.locator("#without-verify")
    section.get_by_role("combobox").select_option(label="Rita")
    section.get_by_role("button", name="Show").click()
    alpha = section.get_by_role("row", name="Alpha")
    expect(alpha.get_by_role("cell").last).to_have_text("1.00")
    expect(section.get_by_role("columnheader").last).to_have_text("Without Rita")
    axe(page)
    screenshot(page, "without-one-person", full_page=True)
