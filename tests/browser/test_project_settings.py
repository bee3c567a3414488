"""A project's settings, in a real browser: what matters to its protocol is shown."""

from playwright.sync_api import expect

from annotate.models import Project

ONLY_CAREBENCH = ["Fewest clips per subcategory", "Writers per clip", "Guideline for splitting"]
ONLY_LOVR = ["Guideline for the dynamics check", "Guideline for writing by hand"]


def shown_fields(page) -> list[str]:
    labels = [*ONLY_CAREBENCH, *ONLY_LOVR]
    return [label for label in labels if page.get_by_label(label).is_visible()]


def test_a_new_project_shows_what_its_protocol_needs(page_of, ada, axe, screenshot):
    page, plain = page_of(ada), page_of(ada, java_script_enabled=False)
    for each in (page, plain):
        each.goto("/projects/new/")
        assert shown_fields(each) == ONLY_CAREBENCH
        each.get_by_role("radio", name="LoVR").check()
        assert shown_fields(each) == ONLY_LOVR
    axe(page)
    screenshot(page, "project-new-lovr", full_page=True)
    page.get_by_label("Name").fill("Long videos")
    page.get_by_label("Address").fill("long-videos")
    page.get_by_role("button", name="Create project").click()
    page.wait_for_url("**/p/long-videos/corpus/")
    assert Project.objects.get(slug="long-videos").protocol == "lovr"


def check_field_with_an_error_is_shown_whatever_the_protocol(page):
    page.get_by_label("Fewest words", exact=True).fill("400")
    page.get_by_role("radio", name="LoVR").check()
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("The fewest words can't be more than the most.")).to_be_visible()
    expect(page.get_by_label("Fewest words", exact=True)).to_be_visible()
    expect(page.get_by_label("Writers per clip")).to_be_hidden()


def check_new_name_is_shown_in_the_header(page):
    page.get_by_label("Name", exact=True).fill("High dives")
    page.get_by_label("Fewest words", exact=True).fill("400")
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("Nothing was saved.")).to_be_visible()
    expect(page.locator("#project-name")).to_have_text("Dives")
    page.get_by_label("Fewest words", exact=True).fill("150")
    page.get_by_role("button", name="Save settings").click()
    expect(page.locator("#project-name")).to_have_text("High dives")
    expect(page.locator("#sidebar-project-name")).to_have_text("High dives")


def test_the_machine_draft_is_off_until_an_admin_wants_it(
    page_of, project, ada, axe, screenshot, console_errors
):
    page = page_of(ada)
    page.goto("/p/dives/settings/")
    switch = page.get_by_label("Show writers a machine draft")
    expect(switch).not_to_be_checked()
    expect(page.get_by_text("no longer writes independently")).to_be_visible()
    axe(page)
    screenshot(page, "project-settings", full_page=True)
    switch.check()
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("Settings saved.")).to_be_visible()
    project.refresh_from_db()
    assert project.show_machine_draft
    assert console_errors.unexpected == []
    console_errors.expect("422")
    check_new_name_is_shown_in_the_header(page)
    check_field_with_an_error_is_shown_whatever_the_protocol(page)
