"""Comparing on a phone, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_compare import start_long_round
from tests.browser.work_pages import SAVED, open_work, state, stored
from tests.review.comparisons.comparing import next_caption_pair


@pytest.fixture
def held(project, rita, make_playable_clip):
    start_long_round(project, [make_playable_clip(project)])
    return next_caption_pair(project, rita)[0]


def test_the_four_choices_stand_above_the_bar_wherever_the_captions_are(
    page_of, held, rita, axe, screenshot
):
    page = open_work(page_of, rita, held, width=390, height=844)
    radios = page.get_by_role("radio")
    expect(radios).to_have_count(4)
    for top in (0, 400):
        page.evaluate("top => scrollTo(0, top)", top)
        for place in range(4):
            expect(radios.nth(place)).to_be_in_viewport(ratio=1)
        choices = page.locator("#outcome").bounding_box()
        bar = page.locator(".work-bar").bounding_box()
        # Behind its edge, so that no line of text shows between the two.
        assert 0 < choices["y"] + choices["height"] - bar["y"] < 4
    axe(page)
    screenshot(page, "compare-phone")
    page.locator("label", has_text="Both are bad").click()
    expect(state(page)).to_have_text(SAVED)
    assert stored(held)["outcome"] == "both_bad"

    # Nothing is said of keys where there is no keyboard.
    expect(page.get_by_text("choose and submit at once")).to_be_hidden()
    expect(page.locator("#outcome kbd:visible")).to_have_count(0)
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_text("choose and submit at once")).to_be_visible()
    expect(page.locator(".compare-choice kbd:visible")).to_have_count(4)
