"""The Split page over time: drafts, lost connections, a merged text that changes, no script."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Assignment
from tests.browser.split_page import OVERVIEW, choose, open_split, selected, texts, wait_saved
from tests.split_work import MERGED, hold_split, make_merged


@pytest.fixture
def held(project, anna, make_playable_clip):
    """Anna's hold on the split of a short merged text."""
    return hold_split(make_playable_clip(project), anna)


def test_a_draft_survives_a_closed_tab(page_of, anna, held):
    page = open_split(page_of, anna, held)
    choose(page, 2, "Both")
    page.locator("#temporal").fill("Typed 😀 by Anna.")
    page.get_by_role("button", name="Keep as is: Does not begin with a summary").click()
    wait_saved(page, held)
    page.close()
    page = open_split(page_of, anna, held)
    assert texts(page) == (f"{OVERVIEW} The man wears a grey shirt.", "Typed 😀 by Anna.")
    expect(page.locator("#row-1")).to_have_attribute("data-target", "both")
    expect(page.locator("#temporal-warnings .split-kept")).to_contain_text("summary")


def close_offline(page, *choices):
    """Close the tab with what was chosen and typed without a connection."""
    page.context.set_offline(True)
    for number, target in choices:
        choose(page, number, target)
    page.locator("#spatial").fill("Typed offline.")
    page.wait_for_timeout(400)
    page.close(run_before_unload=False)
    page.context.set_offline(False)


def test_a_tab_closed_offline_gives_its_targets_back_also_where_sentences_have_moved(
    page_of, anna, emil, held, console_errors
):
    console_errors.expect("ERR_INTERNET_DISCONNECTED")
    page = open_split(page_of, anna, held)
    close_offline(page, (3, "Neither"))
    page = page.context.new_page()
    page.goto(reverse("annotate:work", args=[held.pk]))
    expect(page.locator("#spatial")).to_have_value("Typed offline.")
    expect(page.locator("#row-2")).to_have_attribute("data-target", "neither")
    wait_saved(page, held)
    assert held.draft["target-2"] == "neither"
    assert held.draft["spatial"] == "Typed offline."

    close_offline(page, (4, "Temporal"))
    make_merged(held.item.clip, emil, objects="A new one. " + MERGED["objects"])
    page = page.context.new_page()
    page.goto(reverse("annotate:work", args=[held.pk]))
    expect(page.locator("#row-4")).to_have_attribute("data-target", "temporal")
    expect(page.locator("#row-3")).to_have_attribute("data-target", "neither")
    expect(page.locator("#row-2")).to_have_attribute("data-target", "")
    wait_saved(page, held)
    assert held.draft["sentence-4"] == "He turns the melon twice."
    assert held.draft["target-4"] == "temporal"


def test_a_changed_merge_keeps_everything_and_says_what_is_new(
    page_of, project, anna, emil, held, screenshot, axe
):
    page = open_split(page_of, anna, held)
    choose(page, 2, "Spatial")
    choose(page, 4, "Temporal")
    page.locator("#temporal").press("Control+End")
    page.keyboard.insert_text(" Typed.")
    wait_saved(page, held)
    page.close()
    make_merged(
        held.item.clip,
        emil,
        objects="The man wears a blue shirt. A green melon lies on a wooden board.",
        misc="The camera stays still. The mood is calm. A dog barks somewhere.",
    )
    Assignment.objects.filter(pk=held.pk).update(
        return_comment="The merged text has changed. Your split is as you left it.",
        returned_by=emil,
    )
    page = open_split(page_of, anna, held)
    changes = page.locator("#split-changes")
    expect(changes).to_contain_text("New or reworded: sentence 2, sentence 8.")
    expect(changes).to_contain_text("The man wears a grey shirt.")
    expect(page.locator("#row-1")).to_contain_text("Changed: The man wears a greyblue shirt.")
    expect(page.locator("#row-1")).to_have_attribute("data-target", "")
    expect(page.locator("#row-3")).to_have_attribute("data-target", "temporal")
    assert texts(page)[1].endswith("He turns the melon twice. Typed.")
    screenshot(page, "split-changed")
    axe(page)
    changes.get_by_role("button", name="Show it").click()
    assert selected(page, "spatial") == "The man wears a grey shirt."
    changes.get_by_role("button", name="Put the new wording there").click()
    assert texts(page)[0] == f"{OVERVIEW} The man wears a blue shirt."
    expect(page.locator("#row-1")).to_have_attribute("data-target", "spatial")
    wait_saved(page, held)
    page.reload()
    expect(page.locator("#row-7 .badge")).to_have_text("New")
    assert texts(page)[0] == f"{OVERVIEW} The man wears a blue shirt."


def test_what_is_not_held_can_be_read_and_not_changed(page_of, anna, held):
    Assignment.objects.filter(pk=held.pk).update(state="expired")
    page = open_split(page_of, anna, held)
    page.locator("#row-1 input[value=spatial]").click()
    page.keyboard.press("Alt+t")
    expect(page.locator("#row-1 input:checked")).to_have_count(0)
    assert texts(page) == (OVERVIEW, OVERVIEW)
    expect(page.get_by_role("button", name="Take it again")).to_be_visible()
