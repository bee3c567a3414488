"""The theme of a video: corrected in its list, and on the page Verify by keys alone."""

from playwright.sync_api import expect

from inference.queries import current_theme
from inference.themes.services import correct_theme
from tests.browser.work_pages import SAVED, open_work, state
from tests.cast import make_clip, make_video
from tests.hand_work import machine_caption
from tests.inference.cast import name_theme
from tests.review.verification.verifying import CAPTION, hold_verification


def test_a_theme_is_corrected_in_the_list_in_place(
    page_of, project, ada, rita, axe, screenshot, console_errors
):
    console_errors.expect("422")
    wrong, right = [
        make_clip(project, video=make_video(project, original_name=f"{name}.mp4")).video
        for name in ("fR9dhkJyNNo-market", "kitchen")
    ]
    name_theme(wrong, "Travel and food on a street market in a large city at night")
    name_theme(right, "Cooking at home")
    correct_theme(video=wrong, text="A night market in Taipei", person=rita)
    page = page_of(ada)
    page.goto("/p/dives/themes/")
    axe(page)
    field = page.get_by_label("Right theme of kitchen.mp4")
    field.fill("Cooking at home")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This is the theme already.")).to_be_visible()
    screenshot(page, "themes", full_page=True)
    field.fill("Baking bread")
    page.keyboard.press("Enter")
    expect(page.get_by_text("kitchen.mp4 has a new theme.")).to_be_visible()
    expect(page.locator(f"#theme-{right.pk}")).to_contain_text("Baking bread")


def test_a_verifier_types_the_right_theme_and_no_letter_sets_a_verdict(
    page_of, project, make_playable_clip, anna, axe, screenshot
):
    clip = make_playable_clip(project, fps_num=10)
    name_theme(clip.video, "Cooking at home")
    page = open_work(page_of, anna, hold_verification(anna, machine_caption(clip, CAPTION)))
    for _ in range(4):
        page.keyboard.press("o")
    page.keyboard.press("w")
    field = page.get_by_label("Only if that is wrong: what the video is about")
    field.focus()
    page.keyboard.type("Bad baking, a door")
    expect(state(page)).to_have_text(SAVED)
    expect(page.get_by_label("Verdict of sentence 1")).to_have_value("ok")
    axe(page)
    screenshot(page, "verify-theme", full_page=True)
    page.reload()
    expect(field).to_have_value("Bad baking, a door")
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/p/dives/")
    theme = current_theme(clip.video)
    assert (theme.text, theme.author) == ("Bad baking, a door", anna)
