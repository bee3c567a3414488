"""How far people agree, in a real browser."""

import random

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from review.reports.services import recompute
from tests.browser.looks import scrolls_sideways, widths
from tests.browser.sidebar import open_page
from tests.cast import make_clip, make_person
from tests.hand_work import machine_caption
from tests.review.agreement.agreeing import (
    THREE,
    correct,
    label_sentences,
    open_round,
    rate_all,
    vote,
)
from tests.review.reports.computing import compute_as_asked

COUNT_TOO_WIDE = "tables => tables.filter((t) => t.scrollWidth > t.clientWidth).length"


def judge(project, anna, ben, rita):
    """Make sentences, themes, ratings and votes of several people who mostly agree."""
    drawn = random.Random(7)
    long_name = make_person("Wolfeschlegelsteinhausenbergerdorff", project, "reviewer")
    people = [anna, ben, rita, long_name]

    def nearly(true, others, loyal=0.8):
        return true if drawn.random() < loyal else drawn.choice(others)

    for _ in range(6):
        caption = machine_caption(make_clip(project), THREE)
        true = [drawn.choice(["", "", "A", "B", "A#C"]) for _ in range(3)]
        for person in [*people[:3], "A1"]:
            types = [nearly(code, ["", "A", "C"]) for code in true]
            gaps = [1] if any("C" in code for code in types) and drawn.random() < 0.7 else []
            label_sentences(caption, person, *types, missing=gaps, fits=drawn.random() < 0.9)
    rows = []
    for _ in range(10):
        true = drawn.choice([2, 3, 4, 4, 5])
        rows.append([min(5, max(0, true + drawn.choice([-1, 0, 0, 0, 1]))) for _ in people])
    rate_all(project, people, rows)
    pair = open_round(project, 5)
    for place in range(5):
        true = drawn.choice(["left", "right", "tie"])
        for person in people[:3]:
            swapped = drawn.random() < 0.5
            outcome = nearly(true, ["left", "right", "both_bad"])
            turned = (
                {"left": "right", "right": "left"}.get(outcome, outcome) if swapped else outcome
            )
            cast = vote(pair, place, person, turned, first_left=not swapped)
            if place < 3:
                vote(pair, place, person, outcome, first_left=True, repeat_of=cast)
    correct(cast, "tie")


@pytest.fixture
def address(project):
    return reverse("review:report_page", args=[project.slug, "agreement"])


def test_the_numbers_come_while_the_page_waits(
    page_of, project, anna, ben, rita, ada, address, axe, screenshot
):
    page = page_of(ada)
    page.goto(reverse("annotate:my_work", args=[project.slug]))
    open_page(page, "Quality", "Agreement")
    expect(page.get_by_role("heading", name="No labels yet")).to_be_visible()
    axe(page)
    screenshot(page, "agreement-empty")
    judge(project, anna, ben, rita)
    page.reload()
    expect(page.get_by_text("Not computed yet: 24 verifications.").first).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("They appear here when ready")).to_be_visible()
    compute_as_asked(project, "agreement")
    expect(page.get_by_text("Rating of a caption: people and labels")).to_be_visible()
    screenshot(page, "agreement", full_page=True)
    page.locator("main details").evaluate_all("folds => folds.forEach((f) => { f.open = true; })")
    axe(page)
    screenshot(page, "agreement-open", full_page=True)
    for width in widths(page):
        assert not scrolls_sideways(page), width
        tables = page.locator(".table-scroll:has(.agreement-table)")
        assert tables.evaluate_all(COUNT_TOO_WIDE) == 0, width
    page.get_by_role("button", name="Copy the signature").first.click()
    expect(page.get_by_role("button", name="the signature").first).to_contain_text("ed the")
    label_sentences(machine_caption(make_clip(project), THREE), anna, "", "", "")
    page.goto(address)
    check_newer_labels_are_followed_while_one_looks(page, project, axe, screenshot)


def check_newer_labels_are_followed_while_one_looks(page, project, axe, screenshot):
    expect(page.get_by_text("1 newer verification").first).to_be_visible()
    axe(page)
    screenshot(page, "agreement-old")
    recompute(project=project, name="agreement")
    expect(page.get_by_text("1 newer verification")).to_have_count(0)
