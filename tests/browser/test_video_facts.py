"""Saying what a clip is."""

from django.urls import reverse
from playwright.sync_api import expect


def test_a_clip_without_a_category_is_found_and_gets_one(
    page_of, project, ada, make_playable_clip, axe, screenshot, console_errors
):
    console_errors.expect("422")
    clip = make_playable_clip(project, category="", subcategory="")
    make_playable_clip(project, category="Gym")
    page = page_of(ada)
    page.goto(reverse("annotate:corpus", args=[project.slug]))
    filters = page.get_by_role("search", name="Clips")
    filters.get_by_label("Category", exact=True).select_option("No category")
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("link", name=clip.name).click()
    form = page.locator("#video-facts")
    form.get_by_label("Subcategory").fill("Baking")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_text("A subcategory needs its category.")).to_be_visible()
    axe(page)
    screenshot(page, "clip-facts", full_page=True)
    form.get_by_label("Category (optional)", exact=True).fill("Kitchen")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Details saved.")).to_be_visible()
    expect(page.locator(".page-header")).to_contain_text("Kitchen / Baking")
    page.locator("h1").click()
    page.keyboard.press("Space")  # the player of the part that came in
    page.wait_for_function("() => !document.querySelector('video').paused")
