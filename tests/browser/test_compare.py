"""Blind comparison, used in a real browser: by keyboard alone, and through broken connections."""

import re
from collections import Counter

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Assignment, WorkItem
from review.comparisons.content import shown_on
from review.comparisons.models import CaptionPair, Vote
from review.comparisons.services import show_names
from review.rounds.services import open_round
from tests.browser.work_pages import BROKEN, SAVED, open_work, state, stored
from tests.review.comparisons.comparing import make_set, next_caption_pair, start_round, vote

SENTENCE = (
    "A red sailing boat leaves the grey harbour wall while two children in yellow coats wave from "
    "the pier, and a dog runs along the stones, stops at a ladder and looks back at them. "
)
ARABIC = "غواص يقفز من البرج إلى المسبح الأزرق. يدور مرتين ثم يدخل الماء. تتبعه الكاميرا من الجانب."
NAMES = ("Avocet-31B", "Bittern-17B", "Crane-7B")
KEYS = {"1": "left", "2": "right", "3": "tie", "4": "both_bad"}


@pytest.fixture
def clips(project, make_playable_clip):
    return [make_playable_clip(project) for _ in range(5)]


@pytest.fixture
def claimed_pair(project, clips, rita):
    start_round(project, clips)
    return next_caption_pair(project, rita)


@pytest.fixture
def held(claimed_pair):
    return claimed_pair[0]


@pytest.fixture
def caption_pair(claimed_pair):
    return claimed_pair[1]


def start_long_round(project, clips, words=300):
    """Two models that tell much, one of them in two paragraphs."""
    long = SENTENCE * (words // 33)
    sets = [
        make_set(project, "Avocet", clips, long),
        make_set(project, "Bittern", clips, f"{long}\n\n{SENTENCE}"),
    ]
    return open_round(project=project, admin=None, sets=sets, votes_per_pair=9, shared_percent=0)


def chosen(page):
    return page.locator("#outcome input:checked")


def ready(page):
    """The keys are there."""
    expect(page.locator("#compare-chosen")).to_have_text("Nothing chosen yet")


def test_six_votes_by_keyboard_and_the_names_only_after(
    page_of, project, clips, rita, axe, screenshot
):
    page = page_of(rita)
    page.goto(reverse("review:votes", args=[project.slug]))
    expect(page.get_by_role("heading", name="No votes yet")).to_be_visible()
    screenshot(page, "votes-empty")

    start_round(project, clips, NAMES, votes_per_pair=2)
    seen = []
    page.on("response", lambda answer: seen.append(f"{answer.url} {answer.headers}"))
    page.goto(reverse("annotate:my_work", args=[project.slug]))
    page.get_by_role("button", name="Compare next").focus()
    page.keyboard.press("Enter")
    pressed = []
    for number, key in enumerate("132424"):  # each of the four keys with Shift, and then alone
        ready(page)
        expect(page.locator("#compare-last")).to_contain_text(f"in this round: {number}.")
        if number == 3:
            axe(page)
            screenshot(page, "compare")
        seen.append(page.content())
        pressed.append(KEYS[key])
        with page.expect_navigation():
            if number < 4:
                page.keyboard.press(f"Shift+{key}")
            else:
                for each in ("1", "3", "2", "4", key):
                    page.keyboard.press(each)
                    expect(chosen(page)).to_have_value(KEYS[each])
                page.keyboard.press("Control+Enter" if number % 2 else "Enter")
    expect(page.get_by_text("You have nothing left to do in this step.").first).to_be_visible()
    cast = Vote.objects.order_by("pk").values_list("outcome", flat=True)
    assert list(cast) == pressed
    votes_of_pairs = Counter(Vote.objects.values_list("caption_pair__pair", flat=True))
    assert list(votes_of_pairs.values()) == [2] * 3
    telling = re.compile("|".join(name.split("-")[0] for name in NAMES), re.IGNORECASE)
    assert len(seen) > 25
    assert not any(telling.search(sent) for sent in seen)

    page.locator("#main").get_by_role("link", name="Your votes").click()
    expect(page.get_by_text("1–6 of 6 votes")).to_be_visible()
    assert not telling.search(page.content())
    axe(page)
    screenshot(page, "votes", full_page=True)
    page.get_by_role("link", name="Show names of").first.press("Enter")
    expect(page.get_by_role("heading", name="Which models wrote them?")).to_be_in_viewport()
    assert not telling.search(page.content())
    screenshot(page, "vote", full_page=True)
    page.get_by_role("button", name="Show names").press("Enter")
    expect(page.get_by_text("Final: you have seen the names.")).to_be_visible()
    revealed_pair = CaptionPair.objects.exclude(names_shown_at=None).get()
    left, right = (side.system.name for side in (revealed_pair.left, revealed_pair.right))
    expect(page.get_by_role("heading", name=f"Left {left}")).to_be_visible()
    expect(page.get_by_role("heading", name=f"Right {right}")).to_be_visible()
    expect(page.get_by_role("radio")).to_have_count(0)
    axe(page)
    screenshot(page, "vote-names", full_page=True)


def check_that_submitting_without_a_choice_leads_to_the_four(page):
    page.keyboard.press("Enter")
    expect(page.locator("#outcome-status")).to_have_text("Nothing chosen yet.")
    page.keyboard.press("Control+Enter")
    page.get_by_role("link", name="Choose one: left, right, both are good").click()
    expect(page.locator("#outcome-error")).to_be_visible()
    expect(page.locator("#outcome")).to_be_focused()
    assert not Vote.objects.exists()


def check_that_keys_choose_and_never_type_or_fight_the_player(page, held):
    page.locator("h1").click()
    page.keyboard.press("2")
    expect(chosen(page)).to_have_value("right")
    expect(page.locator("#outcome-status")).to_have_text("Right is better is chosen.")
    expect(page.locator("#compare-chosen")).to_have_text("Right is better")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-show=frame]")).to_have_text("f25")
    page.keyboard.press("5")
    page.keyboard.press("0")
    expect(chosen(page)).to_have_value("right")
    page.keyboard.press("Numpad4")
    expect(chosen(page)).to_have_value("both_bad")

    remark = page.get_by_label("Remark")
    remark.press_sequentially("3 caps, 1 boat")
    remark.press("Shift+Digit1")
    remark.press("Enter")
    expect(chosen(page)).to_have_value("both_bad")
    remark.press("Alt+1")
    expect(chosen(page)).to_have_value("left")
    page.get_by_label("Go to a time or frame").press_sequentially("2")
    expect(chosen(page)).to_have_value("left")
    expect(state(page)).to_have_text(SAVED)
    draft = stored(held)
    assert (draft["outcome"], draft["remark"]) == ("left", "3 caps, 1 boat!\n")
    assert not Vote.objects.exists()


def check_that_a_key_that_is_held_down_votes_on_nothing(page, held):
    page.locator("h1").click()
    page.evaluate(
        """() => document.body.dispatchEvent(new KeyboardEvent("keydown", {
            code: "Digit1", key: "!", shiftKey: true, repeat: true, bubbles: true }))"""
    )
    page.keyboard.press("3")
    page.evaluate(
        """() => document.body.dispatchEvent(new KeyboardEvent("keydown", {
            code: "Enter", key: "Enter", repeat: true, bubbles: true }))"""
    )
    expect(chosen(page)).to_have_value("tie")
    expect(state(page)).to_have_text(SAVED)
    assert stored(held)["outcome"] == "tie"
    assert not Vote.objects.exists()


def check_that_enter_on_a_reason_brings_the_next_pair(page):
    page.get_by_role("radio", name="Left is better").check()
    page.get_by_label("The order is right").check()
    expect(state(page)).to_have_text(SAVED)
    with page.expect_navigation():
        page.get_by_label("The order is right").press("Enter")
    ready(page)
    assert Vote.objects.get().reasons == ["order"]
    following = Assignment.objects.get(state="held")
    assert page.url.endswith(reverse("annotate:work", args=[following.pk]))
    expect(page.get_by_text("Your last vote: Left is better.")).to_be_visible()


def check_that_single_keys_can_be_confined(page):
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("heading", name="The vote")).to_be_visible()
    page.get_by_label("Single keys work anywhere on the page").uncheck()
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("1")
    page.keyboard.press("Shift+2")
    expect(chosen(page)).to_have_count(0)
    page.get_by_role("radio", name="Both are good").focus()
    page.keyboard.press("2")
    expect(chosen(page)).to_have_value("right")


def test_keys_vote_on_one_pair_and_bring_the_next(page_of, project, held, rita, console_errors):
    console_errors.expect("422")
    page = open_work(page_of, rita, held)
    ready(page)
    [upcoming] = WorkItem.objects.filter(reserved_for=rita, open_slots=1)
    check_that_submitting_without_a_choice_leads_to_the_four(page)
    check_that_keys_choose_and_never_type_or_fight_the_player(page, held)
    check_that_a_key_that_is_held_down_votes_on_nothing(page, held)
    playback = reverse("annotate:media_playback", args=[project.slug, upcoming.clip.video_id])
    expect(page.locator(f'link[rel=prefetch][href="{playback}"]')).to_be_attached(timeout=15_000)
    check_that_enter_on_a_reason_brings_the_next_pair(page)
    check_that_single_keys_can_be_confined(page)


def test_a_draft_outlives_a_lost_connection_and_is_voted_with_in_another_tab(
    page_of, held, caption_pair, rita, console_errors
):
    console_errors.expect(f"410|{BROKEN}")
    page = open_work(page_of, rita, held)
    ready(page)
    page.context.set_offline(True)
    page.keyboard.press("2")
    page.get_by_label("The order is right").check()
    page.get_by_label("Remark").fill("She turns first.")
    expect(state(page)).to_have_text("Offline, kept on this device")
    assert stored(held) == {}
    page.context.set_offline(False)
    expect(state(page)).to_have_text(SAVED, timeout=20_000)
    assert stored(held) == {
        "shown": shown_on(caption_pair),
        "outcome": "right",
        "reason-order": "on",
        "remark": "She turns first.",
    }
    again = open_work(page_of, rita, held)
    expect(chosen(again)).to_have_value("right")
    expect(again.locator("#compare-chosen")).to_have_text("Right is better")
    expect(again.get_by_label("The order is right")).to_be_checked()
    with again.expect_navigation():
        again.keyboard.press("Control+Enter")

    # The first tab is told, and changes nothing.
    page.locator("h1").click()
    page.keyboard.press("Shift+1")
    expect(page.get_by_label("Submitted elsewhere")).to_be_visible()
    made = Vote.objects.get()
    assert (made.outcome, made.reasons, made.remark) == ("right", ["order"], "She turns first.")


def test_long_captions_scroll_in_view_and_each_paragraph_reads_in_its_direction(
    page_of, project, clips, rita, axe, screenshot
):
    sets = [
        make_set(project, "Avocet", clips, f"{ARABIC * 9}\n\n{SENTENCE * 9}"),
        make_set(project, "Bittern", clips, f"{SENTENCE * 9}\n\n{'A' * 400}"),
    ]
    open_round(project=project, admin=None, sets=sets, votes_per_pair=9, shared_percent=0)
    held, _ = next_caption_pair(project, rita)
    page = open_work(page_of, rita, held)
    ready(page)
    directions = page.locator(".compare-side .reading").evaluate_all(
        "all => all.map(one => getComputedStyle(one).direction)"
    )
    assert sorted(directions) == ["ltr", "ltr", "ltr", "rtl"]
    left, right = page.locator("[data-side=left]"), page.locator("[data-side=right]")
    tops = [side.bounding_box()["y"] for side in (left, right)]
    assert tops[0] == tops[1]
    expect(page.get_by_role("radio", name="Both are bad")).to_be_in_viewport(ratio=1)
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    assert page.evaluate("() => scrollY") == 0
    scrolled = [side.evaluate("side => side.scrollTop") for side in (left, right)]
    assert min(scrolled) > 100
    page.keyboard.press("ArrowUp")
    assert left.evaluate("side => side.scrollTop") < scrolled[0]
    axe(page)
    screenshot(page, "compare-long")
    page.set_viewport_size({"width": 390, "height": 844})
    boxes = [side.bounding_box() for side in (left, right)]
    assert boxes[1]["y"] > boxes[0]["y"] + boxes[0]["height"]
    for side in (left, right):
        assert side.evaluate("side => side.scrollHeight <= side.clientHeight")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    screenshot(page, "compare-long-whole", full_page=True)


def test_a_vote_is_changed_by_keyboard_and_closed_once_submitted(
    page_of, project, claimed_pair, rita, axe, screenshot
):
    held, caption_pair = claimed_pair
    vote(held, "left")
    following, _ = next_caption_pair(project, rita)
    page = open_work(page_of, rita, following)
    page.get_by_role("link", name="Change").press("Enter")
    expect(page.get_by_role("heading", name="Your vote")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("3")
    expect(chosen(page)).to_have_value("tie")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_text("Your vote counts as: Both are good.").first).to_be_visible()
    assert [each.outcome for each in caption_pair.votes.all()] == ["left", "tie"]
    page.get_by_text("Your earlier votes").click()
    axe(page)
    page.get_by_role("button", name="Compare next").click()
    page.wait_for_url(f"**{reverse('annotate:work', args=[following.pk])}")
    page.goto(reverse("annotate:work", args=[held.pk]))
    expect(page.get_by_text("Your vote counts as: Both are good.")).to_be_visible()
    expect(page.get_by_role("radio", name="Left is better")).to_be_disabled()
    page.locator("h1").click()
    page.keyboard.press("2")
    expect(chosen(page)).to_have_value("left")
    axe(page)
    screenshot(page, "compare-submitted")


def test_it_works_without_scripts(page_of, held, rita):
    page = page_of(rita, java_script_enabled=False)
    page.goto(reverse("annotate:work", args=[held.pk]))
    page.get_by_role("radio", name="Both are bad").check()
    page.get_by_label("Remark").fill("Another video.")
    page.get_by_role("button", name="Submit and next").click()
    expect(page.get_by_text("Your last vote: Both are bad.")).to_be_visible()
    made = Vote.objects.get()
    assert (made.outcome, made.remark) == ("both_bad", "Another video.")
    page.get_by_role("link", name="Change").click()
    page.get_by_role("radio", name="Left is better").check()
    page.get_by_role("button", name="Change vote").click()
    expect(page.get_by_text("Your vote counts as: Left is better.").first).to_be_visible()


def test_where_the_names_are_known_the_page_says_to_skip(
    page_of, project, clips, rita, axe, screenshot
):
    start_round(project, clips[:1], ("Avocet", "Bittern", "Crane"))
    held, caption_pair = next_caption_pair(project, rita)
    vote(held)
    ahead, _ = next_caption_pair(project, rita)
    show_names(caption_pair=caption_pair, reviewer=rita)
    page = open_work(page_of, rita, ahead)
    expect(page.get_by_text("Skip this pair and say that you have seen the names.")).to_be_visible()
    axe(page)
    screenshot(page, "compare-names-known")
