"""One caption after the other is verified in a real browser."""

import pytest
from playwright.sync_api import expect

from review.verification.models import Verification
from tests.browser.tabs import RESTING_PLACE
from tests.browser.work_pages import SAVED, open_work, state
from tests.hand_work import machine_caption
from tests.review.verification.verifying import hold_verification, open_verification


@pytest.fixture
def clip(project, make_playable_clip):
    return make_playable_clip(project)


def test_the_answer_about_the_theme_is_that_captions_alone(
    page_of, project, make_playable_clip, clip, anna
):
    first = hold_verification(anna, machine_caption(clip, "A man opens a door."))
    open_verification(machine_caption(make_playable_clip(project), "A dog barks."))
    page = open_work(page_of, anna, first)
    page.locator(".account-name").click()
    page.get_by_label("Dark", exact=True).check()
    page.locator("li.verify-row").first.focus()
    page.keyboard.press("o")
    page.get_by_label("No, it describes something else").check()
    page.get_by_label("Yes, it describes this clip").check()
    expect(state(page)).to_have_text(SAVED)
    elsewhere = open_work(page_of, anna, first)
    expect(elsewhere.get_by_label("Yes, it describes this clip")).to_be_checked()
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator("[data-text]")).to_have_text("A dog barks.")
    expect(page.locator("#toasts")).to_contain_text(f"Verification submitted: {clip.short_name}.")
    assert page.locator("#theme input:checked").count() == 0
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert [verification.fits_theme for verification in Verification.objects.all()] == [True]


def test_an_unknown_stored_color_scheme_is_ignored(page_of, anna):
    page = page_of(anna)
    page.goto(RESTING_PLACE)
    page.evaluate("localStorage.setItem('theme', 'ok')")
    page.goto("/")
    assert page.locator("html").get_attribute("data-theme") is None
    expect(page.get_by_label("Auto")).to_be_checked()
