"""Writing by hand, used in a real browser, and the machine's draft on the Write page."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Caption, Project
from tests.browser.work_pages import SAVED, open_work, state, stored
from tests.hand_work import attempt, machine_caption, open_hand
from tests.work import WRITE_UP, fill_draft, hold, make_work

FIRST, SECOND = "A pool lies in the sun.", "Two divers jump from the tower."
LONG = (
    "The video opens on a wide shot of an outdoor swimming pool with a tall concrete tower. "
    "A young woman in a dark swimsuit walks slowly along the wet edge, adjusts her cap and looks "
    "up at the platform, where another diver is waiting for a sign from the trainer. "
) * 6


@pytest.fixture
def clip(project, make_playable_clip):
    Project.objects.filter(pk=project.pk).update(protocol="lovr")
    return make_playable_clip(project)


@pytest.fixture
def held(clip, anna):
    """Anna's hold on a clip that two models have tried, and a third that said nothing."""
    return hold(
        anna,
        open_hand(
            clip,
            attempt(machine_caption(clip, f"{FIRST} {SECOND}"), 0.143, model="First caption"),
            attempt(machine_caption(clip, "A man cooks soup."), 0.081, model="Qwen2-VL-72B"),
            attempt(None, None, model="Qwen2.5-VL-72B", reason="The reply was empty."),
        ),
    )


def caption_of(page):
    return page.get_by_label("Caption", exact=True)


def start_from(page, number):
    page.locator(f"#attempt-{number}").get_by_role("button", name="Start from this text").click()


def test_long_and_hostile_attempts_are_read_beside_the_caption(
    page_of, clip, anna, axe, screenshot
):
    tried = [machine_caption(clip, LONG.strip()) for _ in range(3)]
    models = ["First caption", "Qwen2.5-VL-72B-Instruct", "Qwen2-VL-72B-Instruct"]
    scores = [0.143, 0.187, -0.02]
    hostile = "<img src=x onerror=alert(1)> A pool. <script>alert(2)</script>"
    item = open_hand(
        clip,
        *[
            attempt(*tries, model=model)
            for *tries, model in zip(tried, scores, models, strict=True)
        ],
        attempt(None, None, model="Qwen2.5-VL-7B", reason="The reply was cut off at 8192 tokens."),
        attempt(machine_caption(clip, hostile), model="<b>Bold</b>"),
    )
    assert tried[0].word_count > 290
    page = open_work(page_of, anna, hold(anna, item))
    screenshot(page, "hand-empty")
    start_from(page, 2)
    axe(page)
    screenshot(page, "hand", full_page=True)
    screenshot(page, "hand-top")
    expect(page.get_by_role("heading", name="5. <b>Bold</b>")).to_be_visible()
    start_from(page, 5)
    expect(caption_of(page)).to_have_value(hostile)
    assert page.locator("#attempts img, #attempts script").count() == 0


def test_a_text_written_by_hand_is_saved_submitted_and_then_only_read(
    page_of, anna, clip, held, axe, console_errors
):
    console_errors.expect("422")
    page = open_work(page_of, anna, held)
    caption_of(page).fill("…")
    caption_of(page).press("Control+Enter")
    page.get_by_role("link", name="The caption has no words").click()
    expect(caption_of(page)).to_be_focused()
    assert not Caption.objects.filter(source=Caption.Source.HUMAN).exists()
    caption_of(page).fill("A diver jumps.")
    expect(page.locator("[data-count-of=text]")).to_have_text("3 words")
    expect(state(page)).to_have_text(SAVED)

    again = open_work(page_of, anna, held)
    expect(caption_of(again)).to_have_value("A diver jumps.")
    caption_of(again).press("Control+Enter")
    expect(again.get_by_text("You have nothing left to do in this step.")).to_be_visible()
    caption = Caption.objects.get(source=Caption.Source.HUMAN)
    assert (caption.text, caption.parents.count()) == ("A diver jumps.", 2)

    again.goto(reverse("annotate:work", args=[held.pk]))
    expect(caption_of(again)).not_to_be_editable()
    expect(again.get_by_role("button", name="Start from this text")).to_have_count(0)
    axe(again)


def check_that_a_text_to_start_from_fills_an_empty_field_at_once(page):
    expect(page.get_by_role("button", name="Restore the previous text")).to_be_hidden()
    start_from(page, 1)
    expect(caption_of(page)).to_have_value(f"{FIRST} {SECOND}")
    expect(caption_of(page)).to_be_focused()
    start_from(page, 2)  # nothing of one's own would be lost
    expect(caption_of(page)).to_have_value("A man cooks soup.")


def check_that_sentences_are_reached_and_added_by_keys(page):
    page.get_by_role("button", name=FIRST).focus()
    page.keyboard.press("Enter")
    expect(caption_of(page)).to_have_value(FIRST)
    expect(page.get_by_role("button", name=FIRST)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(caption_of(page)).to_have_value(f"{FIRST} {SECOND}")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Start from this text").first).to_be_focused()


def check_that_a_sentence_is_added_by_a_click_where_the_caret_was(page):
    caption_of(page).fill("It is noon. The end.")
    caption_of(page).press("Home")
    for _ in "It is noon.":
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name=SECOND).click()
    expect(caption_of(page)).to_have_value(f"It is noon. {SECOND} The end.")
    page.get_by_role("button", name=FIRST).click()
    expect(caption_of(page)).to_have_value(f"It is noon. {SECOND} {FIRST} The end.")
    caption_of(page).press("Control+z")
    expect(caption_of(page)).to_have_value(f"It is noon. {SECOND} The end.")
    expect(page.locator("[data-count-of=text]")).to_have_text("11 words")


def check_that_nothing_of_many_replaced_texts_is_lost(page):
    for text in ("One.", "Two."):
        caption_of(page).fill(text)
        start_from(page, 2)
        page.get_by_role("button", name="Replace", exact=True).click()
    bring_back = page.get_by_role("button", name="Restore the previous text")
    seen = []
    for _ in range(4):
        bring_back.click()
        seen.append(caption_of(page).input_value())
    assert seen == ["Two.", "One.", "My own words.", "A man cooks soup."]


def test_texts_and_sentences_of_the_models_are_used(page_of, anna, held, axe):
    page = open_work(page_of, anna, held)
    check_that_a_text_to_start_from_fills_an_empty_field_at_once(page)
    caption_of(page).fill("")
    page = check_that_typed_text_is_asked_about_and_can_be_brought_back(page, page_of, held, axe)
    check_that_nothing_of_many_replaced_texts_is_lost(page)
    caption_of(page).fill("")
    check_that_sentences_are_reached_and_added_by_keys(page)
    check_that_a_sentence_is_added_by_a_click_where_the_caret_was(page)
    caption_of(page).fill("")
    page.get_by_role("button", name=FIRST).dblclick()  # to select a word
    expect(caption_of(page)).to_have_value(FIRST)  # the first of the two clicks


def check_that_typed_text_is_asked_about_and_can_be_brought_back(page, page_of, held, axe):
    """Return a page of another browser, on which the typed text is brought back."""
    caption_of(page).fill("My own words.")
    start_from(page, 1)
    dialog = page.get_by_role("dialog", name="Replace what you typed?")
    axe(page)
    dialog.get_by_role("button", name="Keep my text").click()
    expect(caption_of(page)).to_have_value("My own words.")

    start_from(page, 1)
    dialog.get_by_role("button", name="Replace").click()
    expect(caption_of(page)).to_have_value(f"{FIRST} {SECOND}")
    expect(state(page)).to_have_text(SAVED)

    again = open_work(page_of, held.annotator, held)  # it outlives the page
    again.get_by_role("button", name="Restore the previous text").click()
    expect(caption_of(again)).to_have_value("My own words.")
    again.get_by_role("button", name="Restore the previous text").click()
    expect(caption_of(again)).to_have_value(f"{FIRST} {SECOND}")
    expect(state(again)).to_have_text(SAVED)
    assert stored(held)["text"] == f"{FIRST} {SECOND}"
    return again


@pytest.fixture
def drafted(project, anna, make_playable_clip):
    """A clip for Anna to write about whose machine draft may be read."""
    Project.objects.filter(pk=project.pk).update(show_machine_draft=True)
    clip = make_playable_clip(project)
    machine_caption(clip, LONG.strip())
    return hold(anna, make_work(clip))


def test_opening_the_machine_draft_is_stored_with_the_text(page_of, anna, drafted, axe, screenshot):
    draft = Caption.objects.get()
    fill_draft(drafted, **WRITE_UP)
    page = open_work(page_of, anna, drafted)
    expect(page.get_by_text("The video opens on a wide shot")).to_be_hidden()
    page.locator("#misc").press("End")
    page.keyboard.type(" It ends.")
    expect(state(page)).to_have_text(SAVED)
    assert stored(drafted)["machine_draft"] == ""
    page.get_by_text("Machine draft (model text, unverified)").click()
    expect(page.get_by_text("The video opens on a wide shot")).to_be_visible()
    page.wait_for_timeout(50)
    expect(state(page)).to_have_text(SAVED)
    axe(page)
    screenshot(page, "write-machine-draft", full_page=True)
    page.locator("#submit-only").click()
    page.wait_for_url("**/p/dives/")
    written = Caption.objects.get(source=Caption.Source.HUMAN)
    assert written.provenance == [{"machine_draft": draft.pk}]
