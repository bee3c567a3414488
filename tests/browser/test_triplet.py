"""Verifying a composed query in a real browser, by keyboard alone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Clip, Video
from review.triplets.models import TargetVerdict, TripletVerdict
from review.triplets.sets import generate, start_triplet_set
from tests.browser.work_pages import SAVED, open_work, state, stored, visit
from tests.cast import make_project
from tests.review.triplets.triplets import make_label, make_triplet, modify
from tests.review.triplets.verifying_triplets import hold_query, targets_of

TEXT = "show with 2.5 somersaults"


@pytest.fixture
def project(db):
    return make_project(protocol="tfcovr")


@pytest.fixture
def query(project, make_playable_clip):
    """Three targets, and one more clip of their label that is none."""
    labels = make_label(project, "107b", "Forward 1.5"), make_label(project, "109b", "Forward 2.5")

    def make(label):
        clip = make_playable_clip(project)
        Video.objects.filter(pk=clip.video_id).update(split="test")
        Clip.objects.filter(pk=clip.pk).update(label=label)
        return Clip.objects.select_related("video").get(pk=clip.pk)

    clip, modification = make(labels[0]), modify(*labels, TEXT)
    for place in range(3):
        triplet = make_triplet(clip, modification, make(labels[1]), place=place)
    make(labels[1])
    return triplet.query


@pytest.fixture
def held(query, anna):
    return hold_query(anna, query)


def counted(decided: int, answered: int = 0) -> str:
    return f"{decided} of 3 targets decided, {answered} of 3 questions answered"


def playing(page) -> int:
    return page.evaluate("[...document.querySelectorAll('video')].filter((v) => !v.paused).length")


def test_a_query_is_verified_by_keyboard_alone(page_of, query, held, anna):
    page = open_work(page_of, anna, held)
    keys, cells = page.keyboard, page.locator("[data-cell]")
    first, second, third = targets_of(query)
    keys.press("v")
    expect(cells.nth(1)).to_be_focused()  # the next undecided one
    keys.press("ArrowRight")
    expect(cells.nth(2)).to_be_focused()
    keys.press("n")
    expect(cells.nth(1)).to_be_focused()
    keys.press("x")
    expect(cells.nth(2)).to_be_focused()
    keys.press("x")
    keys.press("v")  # thought again
    expect(page.locator(".triplet-count")).to_have_text(counted(3, answered=0))
    keys.press("ArrowRight")
    expect(cells.nth(3)).to_be_focused()
    keys.press("v")
    expect(page.get_by_role("checkbox", name="Valid too")).to_be_checked()
    for key in ("1", "2", "3", "3"):
        keys.press(key)
    expect(page.locator("#needed [value=no]")).to_be_checked()
    expect(page.locator(".triplet-count")).to_have_text(counted(3, answered=3))
    keys.press("e")
    expect(page.locator("#corrected")).to_have_value(TEXT)
    keys.type(" now")  # at its end
    expect(page.locator("#corrected")).to_have_value(f"{TEXT} now")
    keys.press("ControlOrMeta+a")
    keys.type("show 2.5 somersaults")
    for chord in ("Shift+Enter", "Enter"):  # they end the text and submit nothing
        page.locator("#corrected").focus()
        keys.press(chord)
        expect(cells.nth(3)).to_be_focused()
    expect(state(page)).to_have_text(SAVED)
    keys.press("ControlOrMeta+Enter")
    page.wait_for_url("**/p/*/")
    verdict = TripletVerdict.objects.get()
    assert (verdict.is_right, verdict.is_enough, verdict.is_needed) == (True, True, False)
    assert verdict.corrected == "show 2.5 somersaults"
    target_verdicts = dict(
        TargetVerdict.objects.filter(is_added=False).values_list("clip", "is_valid")
    )
    assert target_verdicts == {first: True, second: False, third: True}
    assert TargetVerdict.objects.filter(is_added=True).count() == 1


def check_that_all_clips_play_in_step_and_muted_until_they_are_paused(page):
    page.wait_for_function(
        "() => [...document.querySelectorAll('video')].filter((v) => !v.paused).length === 5"
    )
    assert page.evaluate("[...document.querySelectorAll('video')].every((v) => v.muted)")
    times = page.evaluate("[...document.querySelectorAll('video')].map((v) => v.currentTime)")
    assert max(times) - min(times) < 0.5
    page.keyboard.press("Space")
    assert playing(page) == 0
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def check_that_what_is_missing_is_led_to(page):
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator("#problems")).to_be_visible()
    page.locator("#problems a", has_text="Target 2").click()
    expect(page.locator("[data-cell]").nth(1)).to_be_focused()
    page.keyboard.press("v")
    expect(page.locator("[data-cell]").nth(1).locator("[data-error]")).to_be_hidden()
    expect(page.locator("#problems a", has_text="Target 2")).to_have_count(0)
    expect(page.locator("#problems a", has_text="Target 3")).to_be_visible()
    page.locator("#problems").focus()
    page.keyboard.press("x")
    expect(page.locator(".triplet-count")).to_have_text(counted(1))


def check_that_a_text_left_as_it_is_is_no_correction(page, held):
    page.locator("h1").click()
    expect(page.locator("#corrected")).to_be_hidden()
    page.keyboard.press("e")
    page.keyboard.press("Escape")
    expect(page.locator("#corrected")).to_be_hidden()
    expect(state(page)).to_have_text(SAVED)
    assert not stored(held).get("corrected")


def check_that_single_keys_can_be_confined_to_the_clips(page):
    page.get_by_role("button", name="Keys").click()
    page.locator("[data-single-keys]").uncheck()
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("v")
    expect(page.locator(".triplet-count")).to_have_text(counted(1))
    page.locator("[data-cell]").first.focus()
    page.keyboard.press("v")
    expect(page.locator(".triplet-count")).to_have_text(counted(2))


def check_that_after_a_no_the_text_is_there_to_be_changed(page):
    corrected = page.locator("#corrected")
    page.locator("#right [value=no]").check(force=True)
    expect(corrected).to_have_value(TEXT)
    page.locator("#right [value=yes]").check(force=True)
    expect(corrected).to_be_hidden()
    page.locator("#enough [value=no]").check(force=True)
    corrected.fill("show two turns")
    page.locator("#needed [value=no]").check(force=True)
    expect(corrected).to_have_value("show two turns")
    corrected.fill("")
    page.locator("[data-cell]").first.focus()
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator("#enough [value=yes]")).to_be_checked()
    expect(corrected).to_have_value("")  # emptied on purpose, and one "no" is left


def test_a_query_is_played_answered_and_corrected(page_of, held, anna, console_errors):
    console_errors.expect("422")
    page = open_work(page_of, anna, held)
    check_that_all_clips_play_in_step_and_muted_until_they_are_paused(page)
    check_that_what_is_missing_is_led_to(page)
    check_that_a_text_left_as_it_is_is_no_correction(page, held)
    check_that_single_keys_can_be_confined_to_the_clips(page)
    check_that_after_a_no_the_text_is_there_to_be_changed(page)


def test_nothing_moves_where_less_motion_is_asked_for_and_a_narrow_page_has_no_fault(
    page_of, held, anna, axe, screenshot
):
    page = page_of(anna, width=390, height=844)
    page.emulate_media(reduced_motion="reduce")
    visit(page, held)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert playing(page) == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-cell] [value=valid]").first.check()
    expect(page.locator(".triplet-count")).to_have_text(counted(1))
    axe(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    axe(page)
    screenshot(page, "triplet")
    page.locator("h1").click()
    page.keyboard.press("Space")
    page.wait_for_function("() => [...document.querySelectorAll('video')].some((v) => !v.paused)")


def test_a_set_is_watched_while_it_is_generated(page_of, query, ada, axe, screenshot):
    project = query.clip.project
    running = start_triplet_set(project=project, seed=0, most_targets=10, admin=ada)
    page = page_of(ada)
    page.goto(reverse("review:triplets", args=[project.slug]))
    expect(page.get_by_text("Set 2 is being generated")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Generate").click()
    expect(page.get_by_text("Triplets are being generated now.")).to_be_visible()
    generate(triplets=running)
    expect(page.get_by_text("Set 2 is being generated")).to_have_count(0)
    page.get_by_role("link", name="Set 2").click()
    expect(page.get_by_text("0 triplets across splits.")).to_be_visible()
    axe(page)
    screenshot(page, "triplet-set", full_page=True)
