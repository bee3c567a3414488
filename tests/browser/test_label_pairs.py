"""Label pairs judged by one key each, and modifications written by keyboard, in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Clip, WorkRules
from review.modifications.models import Modification
from review.pairs.models import LabelPair, PairVerdict
from tests.browser.looks import scrolls_sideways, widths
from tests.browser.work_pages import open_work
from tests.review.capst.judging import modify_item, pair_item
from tests.review.triplets.triplets import make_label, make_pair, modify
from tests.work import hold

TEXT = "show 3.5 somersaults, one more"


@pytest.fixture
def labels(project, make_playable_clip):
    labels = []
    for key in ("2.5", "3.5", "1.5"):
        label = make_label(project, key, f"Forward, {key} somersaults, pike")
        clip = make_playable_clip(project, start_frame=10, end_frame=30)
        Clip.objects.filter(pk=clip.pk).update(label=label)
        labels.append(label)
    return labels


@pytest.fixture
def pairs(labels):
    first, second, third = labels
    ends = [(first, second, 0.9), (first, third, 0.8), (second, third, 0.7)]
    return [make_pair(label, other, "", similarity=alike) for label, other, alike in ends]


def check_that_nothing_is_wrong_or_cut_off(page, axe):
    axe(page)
    assert [width for width in widths(page) if scrolls_sideways(page)] == []
    page.set_viewport_size({"width": 1280, "height": 800})


def press_and_go(page, key):
    with page.expect_navigation():
        page.keyboard.press(key)
    page.wait_for_load_state()


def kinds() -> list[str]:
    return list(LabelPair.objects.order_by("pk").values_list("kind", flat=True))


def test_pairs_are_judged_by_one_key_each_and_undone(page_of, pairs, emil, axe):
    items = [pair_item(pair) for pair in pairs]
    page = open_work(page_of, emil, hold(emil, items[0]))
    check_that_nothing_is_wrong_or_cut_off(page, axe)
    press_and_go(page, "t")
    expect(page.get_by_role("heading", level=1)).to_contain_text("2.5 and 1.5")
    press_and_go(page, "r")
    expect(page.locator(".pair-last")).to_contain_text("Reject")
    press_and_go(page, "u")
    expect(page.get_by_role("radio", name="Reject")).to_be_checked()
    press_and_go(page, "e")
    expect(page.get_by_role("heading", level=1)).to_contain_text("3.5 and 1.5")
    press_and_go(page, "t")
    assert kinds() == ["temporal", "event", "temporal"]
    verdicts = PairVerdict.objects.order_by("pk").values_list("kind", flat=True)
    assert list(verdicts) == ["temporal", "reject", "event", "temporal"]


VIDEOS = "[...document.querySelectorAll('video')]"
TIMES_FOR_A_WHILE = f"""async () => {{
  const times = [];
  for (let look = 0; look < 12; look += 1) {{
    times.push(...{VIDEOS}.map((video) => video.currentTime));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }}
  return times;
}}"""


def check_that_the_clips_loop_within_their_frames_and_pause_together(page):
    page.wait_for_function(f"() => {VIDEOS}.every((video) => !video.paused)")
    times = page.evaluate(TIMES_FOR_A_WHILE)
    assert 0.38 <= min(times) <= max(times) <= 1.3  # frames 10 to 30 at 25 a second
    page.keyboard.press("Space")
    page.wait_for_function(f"() => {VIDEOS}.every((video) => video.paused)")


def test_looping_clips_are_watched_and_a_click_or_a_confined_key_decides(
    page_of, pairs, emil, console_errors
):
    console_errors.expect("422")
    items = [pair_item(pair) for pair in pairs]
    held = hold(emil, items[0])
    project = held.item.project
    rules = WorkRules.objects.create(project=project, kind="pair", watched_percent=100)
    page = open_work(page_of, emil, held)
    expect(page.locator("#watched-text")).to_have_text("100 % watched, 100 % needed")
    check_that_the_clips_loop_within_their_frames_and_pause_together(page)
    press_and_go(page, "t")
    held.refresh_from_db()
    assert held.watched == [[0, held.item.clip.frames]]

    rules.delete()
    page.emulate_media(reduced_motion="reduce")  # nothing plays before it is asked for
    page.reload()
    page.get_by_role("radio", name="Temporal change").focus()
    page.keyboard.press("ArrowDown")  # chooses and doesn't decide
    expect(page.get_by_role("radio", name="Event change")).to_be_checked()
    assert page.evaluate(f"{VIDEOS}.every((video) => video.paused && video.currentTime < 0.5)")
    with page.expect_navigation():
        page.get_by_text("Neither: too much differs").click()
    page.wait_for_load_state()

    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Single keys work anywhere on the page").uncheck()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Guideline").focus()
    page.keyboard.press("r")
    assert kinds() == ["temporal", "reject", ""]
    page.get_by_role("radio", name="Reject").focus()
    press_and_go(page, "r")
    assert kinds() == ["temporal", "reject", "reject"]


def test_a_modification_is_written_by_keyboard(page_of, labels, emil, axe):
    pair = make_pair(labels[0], labels[1], "temporal")
    modify(labels[0], labels[2], "show with 2.5 twists")
    page = open_work(page_of, emil, hold(emil, modify_item(pair)))
    check_that_nothing_is_wrong_or_cut_off(page, axe)
    expect(page.get_by_label("What changes")).to_be_focused()  # nothing is proposed
    page.keyboard.type("show with two and a half twists")
    expect(page.locator("#modification-warnings")).to_contain_text("reads the same and leads to")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(TEXT)
    expect(page.locator("#modification-warnings")).to_be_empty()
    expect(page.locator(".budget strong")).to_have_text("5")
    page.keyboard.press("Enter")  # ends the text
    press_and_go(page, "Enter")
    assert list(Modification.objects.filter(pair=pair).values_list("text", "state", "author")) == [
        (TEXT, "accepted", emil.pk)
    ]
    expect(page.get_by_role("heading", level=1)).to_contain_text("3.5 to 2.5")  # the way back


def test_a_proposed_text_is_accepted_or_rejected_by_key_and_listed_on_a_phone(
    page_of, project, labels, emil, screenshot, console_errors
):
    console_errors.expect("422")  # a rejection without its reason
    pair = make_pair(labels[0], labels[1], "temporal")
    item = modify_item(pair)
    modify(pair.first, pair.second, TEXT, state="waiting")
    modify(pair.second, pair.first, "show one less of it", state="waiting")
    page = open_work(page_of, emil, hold(emil, item))
    press_and_go(page, "a")
    expect(page.locator(".modify-proposal")).to_contain_text("show one less of it")
    page.keyboard.press("r")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#problems")).to_contain_text("Say why no text fits")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.locator("#problems").focus()
    page.keyboard.type("a real ear")
    expect(page.get_by_role("radio", name="Reject")).to_be_checked()
    page.get_by_label("Reason").fill("They look alike.")
    press_and_go(page, "Control+Enter")
    states = Modification.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["accepted", "rejected"]

    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(reverse("review:modifications", args=[project.slug]))
    table = page.get_by_role("region", name="Modifications", exact=True)
    expect(table).to_contain_text(TEXT)
    assert table.evaluate("(table) => table.scrollWidth <= table.clientWidth")
    screenshot(page, "modifications", full_page=True)
