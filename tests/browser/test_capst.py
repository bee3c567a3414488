"""CapST in a real browser: checking elements by keyboard, the tables, one clip, and leakage."""

import pytest
from playwright.sync_api import expect

from annotate.models import Caption, WorkItem
from review.capst.models import CapstItem, CapstRun
from review.elements.models import Extraction
from review.elements.services import hand_out_elements
from review.reports.services import recompute
from tests.browser.work_pages import SAVED, open_work, state, stored
from tests.cast import make_clip
from tests.review.capst.capst_runs import (
    PREDICTION,
    described_clip,
    judge,
    planned,
    predictions,
    start,
    word_overlap,
)
from tests.review.reports.addresses import address
from tests.review.reports.computing import work_on_report
from tests.work import hold

TYPED = "A woman picks up a knife\nShe slices a tomato\na woman looks up and leaves"


@pytest.fixture
def clip(project, make_playable_clip):
    return described_clip(project, make=make_playable_clip)


@pytest.fixture
def judged_run(project, clip):
    return judge(run=start(project, None, word_overlap(project)))


@pytest.fixture
def held(project, judged_run, anna):
    hand_out_elements(project=project, preset="default", admin=None)
    temporal = Caption.objects.get(kind="temporal")
    return hold(anna, WorkItem.objects.get(kind="elements", subject=temporal.pk))


def capst_page(page, project, name="capst", *args):
    page.goto(address(name, project, *args))


def events(page):
    return page.get_by_label("Events", exact=True)


def test_elements_are_checked(page_of, project, held, anna, axe, screenshot, console_errors):
    page = open_work(page_of, anna, held)
    expect(events(page)).to_have_value("A woman picks up a knife\nShe slices a tomato")
    expect(page.locator("#events-check")).to_contain_text("2 events")
    check_caption_stays_in_sight_on_a_phone(page, axe, screenshot)
    check_lists_by_keyboard(page, screenshot)
    assert stored(held)["events"] == TYPED

    Extraction.objects.create(
        caption_id=held.item.subject, kind="events", elements=["a", "b", "c"], recipe="f" * 64,
        method="other", model=word_overlap(project),
    )  # fmt: skip
    page.goto("/p/dives/")  # where the first page asks for no heartbeat
    page = open_work(page_of, anna, held)
    check_typed_lists_are_there_beside_a_newer_one(page, screenshot)
    console_errors.expect("422")
    check_line_said_twice_leads_to_its_list(page, axe, screenshot)
    events(page).fill(TYPED)
    expect(state(page)).to_have_text(SAVED)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("spatial")
    checked = Extraction.objects.get(author=anna, kind="events")
    assert checked.elements == TYPED.splitlines()


def check_caption_stays_in_sight_on_a_phone(page, axe, screenshot):
    page.set_viewport_size({"width": 390, "height": 844})
    caption = page.get_by_role("region", name="Temporal caption")
    for name in ("Events", "Objects"):
        written = page.get_by_label(name, exact=True)
        written.focus()
        written.evaluate("writing => writing.scrollIntoView()")
        expect(caption).to_be_in_viewport(ratio=1)
        above, bar = caption.bounding_box(), page.locator(".work-bar").bounding_box()
        end = above["y"] + above["height"]
        assert end <= written.bounding_box()["y"]
        assert bar["y"] - end > 844 / 2
    axe(page)
    screenshot(page, "elements-phone")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    page.set_viewport_size({"width": 1280, "height": 800})


def check_lists_by_keyboard(page, screenshot):
    events(page).focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("\n" + TYPED.splitlines()[-1])
    expect(page.locator("#events-check")).to_contain_text("3 events")
    expect(page.locator("#events-check")).to_contain_text("Line 3 Two events? It has “and”.")
    page.keyboard.press("Tab")
    objects = page.get_by_label("Objects", exact=True)
    expect(objects).to_be_focused()
    objects.fill("a knife\na tomato")
    expect(state(page)).to_have_text(SAVED)
    screenshot(page, "elements-work", full_page=True)


def check_typed_lists_are_there_beside_a_newer_one(page, screenshot):
    expect(page.get_by_text("A newer list exists, with 3 events.")).to_be_visible()
    expect(events(page)).to_have_value(TYPED)
    expect(page.get_by_label("Objects", exact=True)).to_have_value("a knife\na tomato")
    screenshot(page, "elements-newer", full_page=True)


def check_line_said_twice_leads_to_its_list(page, axe, screenshot):
    events(page).fill("she waves\nShe waves")
    expect(state(page)).to_have_text(SAVED)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#events-error")).to_contain_text("Line 2 repeats line 1.")
    axe(page)
    screenshot(page, "elements-refused")


def test_an_admin_has_captions_judged(page_of, project, clip, ada, axe, screenshot):
    page = page_of(ada)
    capst_page(page, project)
    expect(page.get_by_role("heading", name="No judge yet")).to_be_visible()
    axe(page)
    screenshot(page, "capst-empty", full_page=True)
    word_overlap(project)
    predictions(project, "Model A", {clip: PREDICTION})
    page.reload()
    page.get_by_role("button", name="Judge", exact=True).click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    planned(CapstRun.objects.get())
    expect(page.get_by_text("0 of 1 clips")).to_be_visible()
    axe(page)
    screenshot(page, "capst-running", full_page=True)
    judge(run=CapstRun.objects.get())
    expect(page.get_by_text("A worker will compute the numbers.")).to_be_visible()
    work_on_report(project, "capst")
    expect(page.get_by_role("region", name="CapST of objects")).to_contain_text("85.7")
    page.get_by_text("Method", exact=True).click()
    expect(page.get_by_text("judge:word-overlap 1|")).to_be_visible()


def test_full_tables_and_a_clip_read_well(
    page_of, project, ada, make_playable_clip, axe, screenshot
):
    categories = ["Personal Care", "Socializing & Relaxing", "Sports & Exercise", "Household"]
    clips = [
        described_clip(
            project, make=make_playable_clip if number < 2 else make_clip,
            category=categories[number % 4],
        )
        for number in range(8)
    ]  # fmt: skip
    texts = [PREDICTION, "A woman cuts a red tomato with a knife. A dog barks.", "A coat."]
    for name, text in zip("ABC", texts, strict=True):
        captions = predictions(
            project, f"Model {name} with a long name, 7B",
            {clip: text if number % 3 else PREDICTION for number, clip in enumerate(clips)},
        )  # fmt: skip
        judge(run=start(project, captions, word_overlap(project)))
    judge(run=start(project, None, word_overlap(project)))
    failed = CapstItem.objects.get(
        run__caption_set__name="Model B with a long name, 7B", clip=clips[1]
    )
    failed.results["events"]["predicted"] |= {"judged": None, "failure": "It is not JSON."}
    failed.results["objects"]["predicted"] |= {"judged": [], "elements": []}
    failed.state, failed.reply = "failed", "Sure! Here are the judgments:"
    failed.reason = "Events of the prediction: It is not JSON."
    failed.save()
    recompute(project=project, name="capst")
    recompute(project=project, name="leakage")
    page = page_of(ada)
    capst_page(page, project)
    expect(page.get_by_text("2 / 1 clips").first).to_be_visible()
    page.get_by_text("Method", exact=True).click()
    axe(page)
    screenshot(page, "capst-full", full_page=True)
    page.get_by_role("link", name="All differences").press("Enter")
    expect(page.get_by_role("region", name="Differences")).to_be_visible()
    for name in ("Official", "Default"):  # which have other controls before and after them
        tab = page.get_by_role("navigation", name="Settings").get_by_role("link", name=name)
        tab.press("Enter")
        expect(tab).to_have_attribute("aria-current", "page")
        expect(tab).to_be_focused()
    page.get_by_role("link", name="Model B with a long name, 7B").first.click()
    expect(page.get_by_role("region", name="Clips of the run")).to_be_visible()
    axe(page)
    screenshot(page, "capst-run", full_page=True)
    page.get_by_role("link", name=clips[0].name).click()
    expect(page.get_by_role("heading", name="Events")).to_be_visible()
    axe(page)
    screenshot(page, "capst-clip", full_page=True)
    page.go_back()
    page.get_by_role("link", name=clips[1].name).click()
    expect(page.get_by_text("Last reply of the model")).to_be_visible()
    axe(page)
    screenshot(page, "capst-failed", full_page=True)
    capst_page(page, project, "leakage")
    expect(page.get_by_role("heading", name="Temporal captions with the most")).to_be_visible()
    axe(page)
    screenshot(page, "leakage", full_page=True)
