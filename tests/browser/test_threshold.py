"""The threshold in a real browser: from a study of three people to the captions handed out."""

import re

import pytest
from playwright.sync_api import expect

from inference.models import QualityThreshold
from review.reports.services import recompute
from review.threshold.queries import scores_of_current
from review.threshold.services import adopt
from tests.browser.looks import schemes, scrolls_sideways, widths_and_schemes
from tests.cast import client_of
from tests.review.reports.computing import work_on_report
from tests.review.threshold.studying import judge_sample, scored_captions, start_study

VALUES = [n / 50 for n in range(24)]
ADDRESS = "/p/dives/threshold/"
QUERY_OF_THE_FORM = """
() => "?" + new URLSearchParams(new FormData(document.querySelector("form[data-choice]")))
"""
SHOWN = ("kept", "back", "sample_kept", "flagged", "missed", "false_alarms")


@pytest.fixture
def lovr(project):
    project.protocol = "lovr"
    project.save()
    return project


@pytest.fixture
def scores(lovr, make_playable_clip):
    return scored_captions(lovr, VALUES, make_playable_clip(lovr).video)


@pytest.fixture
def study(lovr, scores, ada):
    return start_study(lovr, captions=20, people=3, admin=ada)


@pytest.fixture
def finished(study, anna, ben, rita):
    for person in (anna, ben, rita):
        judge_sample(study, person, below=0.2)
    recompute(project=study.project, name="threshold")
    return study


def slider(page):
    return page.get_by_role("slider")


def answer_on(page):
    return page.locator("[id^=trial-]")


def shown_values(page) -> dict[str, str]:
    return {name: page.locator(f"[data-says={name}]").inner_text() for name in SHOWN}


def test_from_the_study_to_the_captions_that_are_handed_out(
    page_of, lovr, scores, anna, ben, rita, ada, axe
):
    page = page_of(ada)
    page.goto(ADDRESS)
    check_page_before_anything_is_judged(page, axe)
    study = start_study(lovr, captions=20, people=3, admin=ada)
    for person in (anna, ben, rita):
        judge_sample(study, person, below=0.2)

    page.reload()
    expect(page.get_by_text("20 of 20 captions verified by all three")).to_be_visible()
    page.get_by_role("button", name="Recompute").click()
    expect(page.get_by_text("A worker is computing the numbers.").first).to_be_visible()
    work_on_report(lovr, "threshold")
    expect(page.get_by_text("from 20 captions that 3 people each verified.")).to_be_visible()
    field = page.get_by_label("Try another value")
    begun_at = field.input_value()
    assert 0.15 <= float(begun_at) <= 0.25

    machine = scores_of_current(lovr).count()  # what is corrected is no machine caption any more
    slider(page).focus()
    page.keyboard.press("ArrowRight")
    expect(field).to_have_value(f"{float(begun_at) + 0.01:g}")
    page.keyboard.press("End")
    expect(field).to_have_value("0.5")
    expect(slider(page)).to_have_attribute("aria-valuetext", f"0.5: 0 kept, {machine} sent back")
    page.get_by_role("button", name="Adopt 0.5").press("Enter")
    expect(
        page.get_by_text("4 captions go to people to verify, lowest score first.")
    ).to_be_visible()
    page.get_by_role("radio", name="People verify them now").check()
    page.get_by_role("button", name="Adopt 0.5").press("Enter")
    expect(page.get_by_text("4 captions handed out to verify, 0 withdrawn.")).to_be_visible()
    assert QualityThreshold.objects.get().value == 0.5


def check_page_before_anything_is_judged(page, axe):
    expect(page.get_by_text("No estimate yet.")).to_be_visible()
    hint = page.get_by_text("A wave is drawn once the one before is verified")
    expect(hint).to_be_hidden()
    page.get_by_label("How captions are drawn").select_option("uncertain")
    expect(hint).to_be_visible()
    for _ in schemes(page):
        axe(page)
    pages = page.locator(".sidebar-pages")
    assert pages.evaluate("(nav) => nav.scrollWidth <= nav.clientWidth")


def test_a_value_is_tried_typed_and_adopted(
    page_of, axe, screenshot, console_errors, lovr, finished, ada
):
    console_errors.expect("422")
    lovr.is_simulated = True
    lovr.save()
    page = page_of(ada)
    page.goto(ADDRESS)
    the_answer_is_what_the_page_says(page, ada)
    it_is_typed_to_the_thousandth(page, finished)
    page.get_by_role("button", name="Adopt 0.25").click()
    expect(page.get_by_role("heading", name="Adopt 0.25?")).to_be_visible()
    for _ in widths_and_schemes(page):
        axe(page)
    page.set_viewport_size({"width": 1280, "height": 800})

    adopt(project=lovr, scorer=finished.scorer, value=0.25, admin=ada)
    page.goto(ADDRESS)
    the_current_threshold_is_not_adopted_again(page)
    the_slider_works_after_another_way_of_counting(page, scores_of_current(lovr).count())
    it_fits_a_phone(page)
    page.get_by_text("Numbers", exact=True).click()
    page.get_by_text("Start another study").or_(page.get_by_text("finished")).first.wait_for()
    screenshot(page, "threshold", full_page=True)
    for width in widths_and_schemes(page):
        axe(page)
        assert not scrolls_sideways(page), width


def the_answer_is_what_the_page_says(page, person):
    client = client_of(person)
    slider(page).focus()
    for key in ("Home", "PageUp", "ArrowRight", "End"):
        page.keyboard.press(key)
        value = page.get_by_label("Try another value").input_value()
        expect(answer_on(page)).to_have_attribute("data-value", value)
        text = client.get(ADDRESS + page.evaluate(QUERY_OF_THE_FORM)).text
        served = {name: re.search(rf'data-says="{name}">([^<]*)<', text)[1] for name in SHOWN}
        assert shown_values(page) == served, value
        x_of = "(line) => line.transform.baseVal.consolidate().matrix.e"
        moved = page.locator("[data-line]").evaluate(x_of)
        drawn = float(re.search(r'data-line transform="translate\((\S+) 0\)"', text)[1])
        assert moved == pytest.approx(drawn, abs=0.02), value


def it_is_typed_to_the_thousandth(page, study):
    page.get_by_label("Try another value").fill("0.201")
    expect(page.get_by_role("button", name="Adopt 0.201")).to_be_visible()
    expect(page.locator("[data-says=flagged]")).to_have_text(
        str(sum(s.score.value < 0.201 for s in study.captions.select_related("score")))
    )
    field, adopts = page.get_by_label("Try another value"), page.get_by_role("button", name="Adopt")
    refusal = answer_on(page).locator(".error")
    for refused, reason in (
        ("", "This field is required."),
        ("2", "Keep it between -1 and 1."),
        ("0.2015", "Ensure that there are no more than 3 decimal places."),
        ("high", "Enter a number."),
    ):
        field.fill(refused)
        expect(refusal).to_have_text(reason)
        expect(page.locator("#announcement")).to_have_text(reason)
        expect(adopts).to_be_disabled()
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_text("Correct the value to count.")).to_be_visible()
        expect(page.locator("[data-says]")).to_have_count(0)
    field.fill("")
    field.press_sequentially("0,25")
    expect(refusal).to_be_hidden()
    expect(page.get_by_role("button", name="Adopt 0.25")).to_be_enabled()
    page.evaluate("window.isSamePage = true")
    field.fill("0.2")
    field.press("Enter")
    expect(page.get_by_role("button", name="Adopt 0.2", exact=False)).to_be_visible()
    field.fill("0.25")
    expect(page.get_by_role("button", name="Adopt 0.25")).to_be_enabled()
    assert page.evaluate("window.isSamePage === true")


def the_current_threshold_is_not_adopted_again(page):
    field = page.get_by_label("Try another value")
    field.fill("0.25")
    expect(page.get_by_role("button", name="Adopt 0.25")).to_be_disabled()
    expect(page.get_by_text("0.25 is the current threshold.")).to_be_visible()
    field.fill("0.26")
    expect(page.get_by_role("button", name="Adopt 0.26")).to_be_enabled()
    expect(page.get_by_text("0.25 is the current threshold.")).to_be_hidden()


def the_slider_works_after_another_way_of_counting(page, machine):
    page.evaluate("window.isSamePage = true")
    page.get_by_role("link", name="Per sentence").click()
    chosen = page.locator(".tabs [aria-current=page]")
    expect(chosen).to_have_text("Per sentence")
    slider(page).press("End")
    expect(slider(page)).to_have_attribute("aria-valuetext", f"0.5: 0 kept, {machine} sent back")
    assert page.evaluate("window.isSamePage === true")
    page.go_back()
    expect(chosen).to_have_text("Per type")


def it_fits_a_phone(page):
    page.set_viewport_size({"width": 320, "height": 640})
    expect(page.locator(".threshold-rules tbody tr")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.set_viewport_size({"width": 390, "height": 800})
    figure, below = page.locator("[data-figure]").bounding_box(), slider(page).bounding_box()
    assert figure["x"] >= 0
    assert figure["x"] + figure["width"] <= 390
    assert 0 <= below["y"] - (figure["y"] + figure["height"]) < 60
