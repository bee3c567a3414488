"""Ratings, used in a real browser: the training, rating by keyboard, and the report that moves."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Assignment, Project
from review.ratings.models import Rating, RatingExample, TrainingAnswer
from tests.browser.work_pages import SAVED, open_work, state, stored
from tests.hand_work import machine_caption
from tests.review.ratings.rating import (
    describe,
    hold_rating,
    make_examples,
    open_study,
    train,
    whole_caption,
)
from tests.review.reports.computing import work_on_report

PARAGRAPH = (
    "A red sailing boat leaves the grey harbour wall while two children in yellow coats wave from "
    "the pier. A dog runs along the stones, stops at a ladder and looks back at them. The camera "
    "follows the boat from the left to the right until the mast hides the lighthouse. "
)
ARABIC = "غواص يقفز من البرج إلى المسبح الأزرق. يدور مرتين ثم يدخل الماء. تتبعه الكاميرا من الجانب."


@pytest.fixture
def project(project):
    Project.objects.filter(pk=project.pk).update(protocol="lovr")
    project.refresh_from_db()
    return project


@pytest.fixture
def make(make_playable_clip):
    return make_playable_clip


@pytest.fixture
def examples(project, make):
    return make_examples(project, 5, 3, 0, make=make)


@pytest.fixture
def held(project, examples, anna, make):
    [caption] = describe(project, 1, make=make)
    open_study(project, 1)
    train(anna, project)
    return hold_rating(anna, caption)


def chosen(page):
    return page.locator("#value input:checked")


def ratings_page(page, project):
    page.goto(reverse("review:report_page", args=[project.slug, "ratings"]))


def test_a_rater_is_trained_and_rates_by_keyboard_alone(
    page_of, project, anna, rita, make, axe, screenshot
):
    first, *_ = make_examples(project, 5, 5, 3, make=make)
    TrainingAnswer.objects.create(example=first, rater=anna, value=5)
    describe(project, 1, 1, make=make)
    open_study(project, 1, 1, people=2, per_rater=2)
    page = page_of(anna)
    page.goto(reverse("annotate:my_work", args=[project.slug]))
    page.get_by_role("link", name="Continue training").focus()
    page.keyboard.press("Enter")
    for number, (answer, key) in enumerate((("5", "Enter"), ("2", "Control+Enter")), 2):
        expect(page.get_by_role("heading", name=f"Training {number} of 3")).to_be_visible()
        page.wait_for_load_state()
        expect(page.get_by_text("She turns once, not twice.")).to_have_count(0)
        page.keyboard.press(answer)
        expect(chosen(page)).to_have_value(answer)
        if number == 3:
            axe(page)
            screenshot(page, "training-question")
        with page.expect_navigation():
            page.keyboard.press("Control+Enter")
        expect(page.get_by_text("She turns once, not twice.")).to_be_visible()
        if number == 3:
            axe(page)
            screenshot(page, "training-answer")
        with page.expect_navigation():
            page.keyboard.press(key)
    expect(page.get_by_text("2 of your 3 answers were exactly right.")).to_be_visible()
    axe(page)
    screenshot(page, "training-summary")
    assert list(TrainingAnswer.objects.values_list("value", flat=True)) == [5, 5, 2]

    expect(page.get_by_role("button", name="Start rating")).to_be_focused()
    page.keyboard.press("Enter")
    for number, value in enumerate("40"):
        expect(
            page.get_by_role("radiogroup", name="How well does the caption match the clip?")
        ).to_be_visible()
        page.wait_for_load_state()
        expect(chosen(page)).to_have_count(0)
        page.keyboard.press(value)
        expect(chosen(page)).to_have_value(value)
        expect(state(page)).to_have_text(SAVED)
        if number == 0:
            axe(page)
            screenshot(page, "rate")
        with page.expect_navigation():
            page.keyboard.press("Control+Enter")
    expect(page.get_by_text("You have rated your share of 2. Thank you.").first).to_be_visible()
    assert sorted(Rating.objects.values_list("value", flat=True)) == [0, 4]
    check_that_the_report_comes_without_a_reload(page_of(rita), project, axe, screenshot)


def check_that_the_report_comes_without_a_reload(page, project, axe, screenshot):
    ratings_page(page, project)
    expect(page.get_by_role("heading", name="No report yet")).to_be_visible()
    page.get_by_role("button", name="Recompute").click()
    expect(page.get_by_text("A worker is computing the numbers.").first).to_be_visible()
    work_on_report(project, "ratings")
    expect(page.get_by_role("row", name="Mean, 95 % interval")).to_contain_text("2.00")
    axe(page)
    screenshot(page, "ratings", full_page=True)


def check_that_submitting_without_a_rating_leads_to_the_scale(page):
    page.keyboard.press("Control+Enter")
    page.get_by_role("link", name="Choose one of the six, from 0 to 5.").click()
    expect(page.locator("#value-error")).to_be_visible()
    expect(page.locator("#value")).to_be_focused()
    assert not Rating.objects.exists()


def check_that_keys_rate_and_never_type_or_fight_the_player(page):
    page.locator("h1").click()
    page.keyboard.press("4")
    expect(chosen(page)).to_have_value("4")
    expect(page.locator("#value-status")).to_have_text("4 Minor issues is chosen.")
    expect(page.locator("#rate-chosen")).to_have_text("4 Minor issues")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-show=frame]")).to_have_text("f25")
    page.keyboard.press("6")
    expect(chosen(page)).to_have_value("4")
    page.keyboard.press("Numpad2")
    expect(chosen(page)).to_have_value("2")

    remark = page.get_by_label("Remark")
    remark.press_sequentially("3 caps, 5 boats")
    expect(chosen(page)).to_have_value("2")
    remark.press("Alt+0")
    expect(chosen(page)).to_have_value("0")
    expect(remark).to_have_value("3 caps, 5 boats")
    page.get_by_label("Go to a time or frame").press_sequentially("5")
    expect(chosen(page)).to_have_value("0")


def check_that_single_keys_can_be_confined(page):
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("heading", name="The rating")).to_be_visible()
    page.get_by_label("Single keys work anywhere on the page").uncheck()
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("5")
    expect(chosen(page)).to_have_value("0")
    page.get_by_role("radio", name="3 Moderate mismatch").focus()
    page.keyboard.press("5")
    expect(chosen(page)).to_have_value("5")


def test_keys_rate_and_a_rating_survives_a_new_page(page_of, held, anna, axe, console_errors):
    console_errors.expect("422")
    page = open_work(page_of, anna, held)
    check_that_submitting_without_a_rating_leads_to_the_scale(page)
    check_that_keys_rate_and_never_type_or_fight_the_player(page)
    expect(state(page)).to_have_text(SAVED)
    assert stored(held) == {"value": "0", "remark": "3 caps, 5 boats"}
    check_that_single_keys_can_be_confined(page)
    page.get_by_role("radio", name="3 Moderate mismatch").check()
    expect(state(page)).to_have_text(SAVED)

    again = open_work(page_of, anna, held)
    expect(chosen(again)).to_have_value("3")
    again.locator("#submit-only").click()
    again.wait_for_url("**/p/dives/")
    again.goto(reverse("annotate:work", args=[held.pk]))
    expect(again.get_by_role("radio", name="3 Moderate mismatch")).to_be_disabled()
    again.locator("h1").click()
    again.keyboard.press("5")
    expect(chosen(again)).to_have_value("3")
    axe(again)


def test_long_and_right_to_left_captions_read_well(
    page_of, project, examples, anna, make, screenshot
):
    long = "\n\n".join(PARAGRAPH * 2 for _ in range(30))
    whole = whole_caption(make(project), long)
    arabic = machine_caption(make(project), f"{ARABIC}\n\nA second paragraph is English.")
    open_study(project, 1, 1)
    page = open_work(page_of, anna, hold_rating(anna, whole))
    expect(page.get_by_role("heading", name="Caption of the whole video")).to_be_visible()
    screenshot(page, "rate-whole-video")
    page.get_by_label("Remark").scroll_into_view_if_needed()
    screenshot(page, "rate-whole-video-end")
    page = open_work(page_of, anna, hold_rating(anna, arabic))
    directions = page.locator("#rate-caption .reading").evaluate_all(
        "all => all.map(one => getComputedStyle(one).direction)"
    )
    assert directions == ["rtl", "ltr"]
    screenshot(page, "rate-right-to-left")


def test_it_works_without_scripts(page_of, held, anna):
    page = page_of(anna, java_script_enabled=False)
    page.goto(reverse("annotate:work", args=[held.pk]))
    page.get_by_role("radio", name="0 Completely unrelated").check()
    page.get_by_label("Remark").fill("Another video.")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("Rating saved: Clip ")).to_be_visible()
    assert (Rating.objects.get().value, Rating.objects.get().remark) == (0, "Another video.")


def test_a_training_set_is_kept(page_of, project, ada, make, axe, screenshot, console_errors):
    console_errors.expect("422")
    [caption] = describe(project, 1, make=make)
    page = page_of(ada)
    make_examples(project, 5, 3, 2, make=make)
    page.goto(reverse("review:rating_examples", args=[project.slug]))
    page.get_by_label("Name of the clip contains").fill(caption.clip.name)
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("link", name=f"Use as an example: {caption.clip.name}").click()
    page.get_by_label("Why").wait_for()
    page.wait_for_load_state()
    page.get_by_label("Why").fill("See the cap.")
    page.get_by_role("button", name="Add to training").click()
    expect(page.locator("#value")).to_be_focused()
    page.keyboard.press("0")
    axe(page)
    screenshot(page, "rating-example-new", full_page=True)
    page.get_by_role("button", name="Add to training").click()
    page.get_by_role("button", name="Example 4: up").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Example 3: up")).to_be_focused()
    page.get_by_role("button", name="Example 1: remove").click()
    expect(page.get_by_text("Example removed.")).to_be_visible()
    axe(page)
    screenshot(page, "rating-examples", full_page=True)
    used = RatingExample.objects.filter(is_used=True)
    assert list(used.values_list("value", flat=True)) == [3, 0, 2]


def test_an_admin_starts_and_stops_a_study(
    page_of, project, examples, ada, anna, make, axe, screenshot, console_errors
):
    console_errors.expect("422")
    describe(project, 3, 1, make=make)
    page = page_of(ada)
    ratings_page(page, project)
    expect(page.get_by_label("Captions of clips")).to_have_value("3")
    page.get_by_label("People per caption").fill("2")
    page.get_by_role("button", name="Start study").click()
    expect(page.get_by_text("2 people are to rate each caption, and 1 may rate.")).to_be_visible()
    axe(page)
    screenshot(page, "ratings-refused", full_page=True)
    page.get_by_label("People per caption").fill("1")
    page.get_by_role("button", name="Start study").click()
    expect(page.get_by_text("Started. Each person is asked for 4 ratings.")).to_be_visible()
    axe(page)
    screenshot(page, "ratings-running", full_page=True)
    page.get_by_text("Stop this study…").click()
    page.get_by_role("button", name="Stop study").click()
    expect(
        page.get_by_text("Study stopped. People can finish the captions they have open.")
    ).to_be_visible()
    assert not Assignment.objects.exists()
