"""My work, in a real browser."""

from playwright.sync_api import expect

from annotate.models import Assignment, Project
from tests.browser.looks import scrolls_sideways, widths_and_schemes
from tests.hand_work import STATIC, attempt, hold_check, judge, machine_caption, open_hand
from tests.work import WRITE_UP, expire, fill_draft, hold, make_work, submit_write_up


def test_it_leads_from_a_look_to_the_work(
    page_of, project, anna, emil, make_playable_clip, axe, screenshot
):
    held = hold(anna, make_work(make_playable_clip(project)))
    fill_draft(held, **WRITE_UP)
    kept = hold(anna, make_work(make_playable_clip(project)))
    fill_draft(kept, overview="A diver waits on the board.")
    expire(kept)
    returned = hold(anna, make_work(make_playable_clip(project)))
    fill_draft(returned, **WRITE_UP)
    Assignment.objects.filter(pk=returned.pk).update(
        state="returned",
        returned_by=emil,
        return_comment="Which hand does she use?\nPlease name the colour of the board too.",
    )
    submit_write_up(anna, make_work(make_playable_clip(project)))
    make_work(make_playable_clip(project))
    page = page_of(anna)
    page.goto("/p/dives/")
    axe(page)
    screenshot(page, "my-work", full_page=True)
    page.get_by_role("region", name="Recently finished").get_by_role("link").click()
    expect(page.get_by_label("Submitted", exact=True)).to_contain_text("You submitted this on")
    page.goto("/p/dives/")
    page.get_by_role("button", name="Revise what was sent back").click()
    expect(page.get_by_label("Sent back")).to_contain_text("Which hand does she use?")
    expect(page.locator("#overview")).to_be_editable()


def test_people_choose_their_next_clip_where_the_project_allows_it(
    page_of, project, anna, make_playable_clip, axe, screenshot
):
    Project.objects.update(can_choose_work=True)
    items = [make_work(make_playable_clip(project), needed=1) for _ in range(2)]
    page = page_of(anna)
    page.goto("/p/dives/")
    page.get_by_role("link", name="Choose").click()
    page.get_by_label("Order").select_option("Longest first")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**order=long**")
    for _ in widths_and_schemes(page):
        assert not scrolls_sideways(page)
        axe(page)
    screenshot(page, "choose-a-clip")
    page.locator(".choice-card").filter(has_text=items[1].clip.short_name).get_by_role(
        "button", name="Write"
    ).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(items[1].clip.short_name)
    assert Assignment.objects.get().item_id == items[1].pk


def test_an_empty_day_is_explained(page_of, project, anna, ada, axe, screenshot):
    page = page_of(anna)
    page.goto("/p/dives/")
    expect(page.get_by_text("No clips have been imported yet.")).to_be_visible()
    axe(page)
    screenshot(page, "my-work-empty")
    page = page_of(ada)
    page.goto("/p/dives/")
    expect(page.get_by_text("You have no work in this project")).to_be_visible()
    expect(page.locator(".empty a")).to_have_text(["Overview", "Upload videos", "Members"])
    axe(page)
    screenshot(page, "my-work-admin")


def test_a_project_of_machine_captions_has_its_own_steps(
    page_of, project, anna, rita, ada, make_playable_clip, axe, screenshot
):
    Project.objects.update(protocol="lovr")
    checked, tried = make_playable_clip(project), make_playable_clip(project)
    judge(hold_check(rita, checked.video), STATIC)
    fill_draft(hold_check(anna, checked.video), verdict="static", remark="A choir on a stage.")
    open_hand(tried, attempt(machine_caption(tried, "A man cooks soup."), 0.1))
    page = page_of(anna)
    page.goto("/p/dives/")
    expect(page.get_by_text("Not dynamic. A choir on a stage.")).to_be_visible()
    axe(page)
    screenshot(page, "my-work-lovr")
    page.get_by_role("button", name="Write by hand next").click()
    expect(page.get_by_text("A man cooks soup.")).to_be_visible()
    page = page_of(ada)
    page.goto("/p/dives/activity/")
    expect(page.get_by_text("Videos checked for dynamics")).to_be_visible()
    axe(page)
    screenshot(page, "activity-lovr", full_page=True)
