"""The Split page, used in a real browser."""

import pytest
from playwright.sync_api import expect

from annotate.models import Caption
from tests.browser.split_page import (
    OVERVIEW,
    choose,
    open_split,
    selected,
    submit,
    texts,
    wait_saved,
)
from tests.merge_work import BIKES_A
from tests.split_work import hold_split, submit_split, texts_of
from tests.work import fill_draft

HOSTILE = '<img src=x onerror="alert(1)"> runs & "jumps" </textarea><script>alert(2)</script>.'
PARTS = ["overview", "objects", "actions", "misc"]


@pytest.fixture
def held(project, anna, make_playable_clip):
    """Anna's hold on the split of a short merged text."""
    return hold_split(make_playable_clip(project), anna)


def test_a_split_from_the_first_key_to_the_stored_captions(page_of, anna, held):
    page = open_split(page_of, anna, held)
    assert texts(page) == (OVERVIEW, OVERVIEW)  # the suggested start
    second = page.get_by_role("radiogroup", name="Sentence 2", exact=True)
    second.get_by_role("radio", name="Spatial", exact=True).check()
    choose(page, 3, "Spatial")
    choose(page, 4, "Temporal")
    choose(page, 5, "Both")
    choose(page, 6, "Temporal")
    choose(page, 7, "Neither")
    assert texts(page) == (
        f"{OVERVIEW} The man wears a grey shirt. A green melon lies on a wooden board. "
        "Then he cuts it in half and lifts one half.",
        f"{OVERVIEW} He turns the melon twice. Then he cuts it in half and lifts one half. "
        "The camera stays still.",
    )
    expect(page.locator("#spatial-warnings")).to_contain_text("Movement in the spatial text")
    page.get_by_role("button", name="Keep as is: cuts").click()
    expect(page.locator("#spatial-warnings")).to_contain_text("Kept as they are")
    submit(page)
    page.wait_for_url("**/p/dives/")

    spatial, temporal = Caption.objects.filter(kind__in=["spatial", "temporal"]).order_by("kind")
    merged = Caption.objects.get(source="merged")
    assert (spatial.kind, temporal.kind) == ("spatial", "temporal")
    assert [list(c.parents.all()) for c in (spatial, temporal)] == [[merged], [merged]]
    assert spatial.author == anna
    assert [(c["kind"], c["dismissed"], c["message"]) for c in spatial.checks] == [
        ("motion", False, "Spatial tells of motion: “lifts”; move it to temporal."),
        ("motion", True, "Spatial tells of motion: “cuts”; move it to temporal."),
    ]
    start, end = spatial.checks[0]["spans"][0]
    assert spatial.text[start:end] == "lifts"
    assert temporal.checks == []


IS_IN_SIGHT = """
([above, below]) => {
  const row = document.querySelector(".split-sentence[data-current]").getBoundingClientRect();
  const edge = (bar) => document.querySelector(bar).getBoundingClientRect();
  return edge(above).bottom <= row.top && row.bottom <= edge(below).top;
}
"""
BARS = (".app-header", ".work-bar")
BARS_OF_A_PHONE = (".work-media", ".split-preview")


def test_the_current_sentence_stays_in_sight(page_of, project, anna, make_playable_clip, axe):
    page = open_split(page_of, anna, hold_split(make_playable_clip(project), anna, **BIKES_A))
    undecided = page.locator('.split-sentence[data-target=""]')
    assert undecided.count() > 10
    while undecided.count() > 1:
        page.keyboard.press("Alt+KeyS")
        assert page.evaluate(IS_IN_SIGHT, BARS)
    for _ in range(5):
        page.keyboard.press("Alt+ArrowUp")
        assert page.evaluate(IS_IN_SIGHT, BARS)
    # On a phone, so do the sentences that the two texts got last, and what is left to decide.
    page.set_viewport_size({"width": 390, "height": 844})
    for _ in range(3):
        page.keyboard.press("Alt+ArrowUp")
        assert page.evaluate(IS_IN_SIGHT, BARS_OF_A_PHONE)
    sentence = page.locator(".split-sentence[data-current] [data-said]").text_content()
    page.keyboard.press("Alt+KeyO")
    preview = page.locator(".split-preview")
    expect(preview.locator("[data-preview-of=temporal]")).to_have_text(f"… {sentence}")
    assert preview.bounding_box()["height"] < 844 / 3
    expect(page.locator("#split-totals")).to_contain_text("1 to decide")
    axe(page)
    preview.get_by_role("link", name="Temporal").click()
    expect(page.locator("#temporal")).to_be_in_viewport()


def test_undecided_sentences_are_asked_for_once_and_an_empty_text_is_named(
    page_of, anna, held, console_errors
):
    console_errors.expect("422")
    page = open_split(page_of, anna, held)
    choose(page, 2, "Spatial")
    reminder = page.locator("#undecided")
    temporal = page.locator("#temporal")
    text = temporal.input_value()
    temporal.fill(" ")
    page.locator("#submit-only").click()
    expect(temporal).to_be_focused()
    expect(temporal).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#temporal-error")).to_contain_text("The temporal caption is empty.")
    assert Caption.objects.filter(kind="spatial").count() == 0
    expect(reminder).to_be_hidden()  # the error comes first
    temporal.fill(text)
    page.locator("#submit-only").click()
    expect(reminder).to_be_focused()
    expect(reminder).to_contain_text("sentence 3, sentence 4, sentence 5, sentence 6, sentence 7")
    reminder.get_by_role("link", name="sentence 4").click()
    expect(page.locator("#row-3 input").first).to_be_focused()
    choose(page, 4, "Temporal")
    expect(reminder).not_to_contain_text("sentence 4")
    page.locator("#submit-only").click()
    page.wait_for_url("**/p/dives/")
    assert Caption.objects.filter(kind="temporal").get().text.endswith("He turns the melon twice.")


def test_open_warnings_are_asked_for_once(page_of, anna, held, axe, console_errors):
    page = open_split(page_of, anna, held)
    for number, target in enumerate(["Spatial", "Spatial", *["Temporal"] * 4], start=2):
        choose(page, number, target)
    page.locator("#spatial").press("Control+End")
    page.keyboard.insert_text(" He runs past two parrots.")
    page.locator("#submit-only").click()  # sooner than the check: the submit waits for it
    reminder = page.locator("#warned")
    expect(reminder).to_be_focused()
    expect(reminder.get_by_role("heading")).to_have_text("5 warnings are open")
    expect(reminder).to_contain_text("Submit again to leave them as they are.")
    axe(page)
    reminder.get_by_role("link", name="parrots (spatial)").click()
    assert selected(page, "spatial") == "parrots"
    page.get_by_role("button", name="Keep all as they are: Words that").click()
    expect(reminder.get_by_role("heading")).to_have_text("1 warning is open")
    expect(reminder.get_by_role("link")).to_have_text(["runs (spatial)"])
    assert Caption.objects.filter(kind="spatial").count() == 0
    page.locator("#submit-only").click()
    page.wait_for_url("**/p/dives/")
    checks = Caption.objects.get(kind="spatial").checks
    assert {(c["kind"], c["dismissed"]) for c in checks} == {("motion", False), ("novel", True)}


def check_that_undo_goes_back_and_never_over_typed_text(page):
    choose(page, 2, "Both")
    choose(page, 2, "Neither")
    choose(page, 5, "Neither")
    page.set_viewport_size({"width": 1280, "height": 420})
    undo = page.get_by_role("button", name="Undo")
    undo.scroll_into_view_if_needed()
    place = undo.bounding_box()
    assert page.locator("#row-4").bounding_box()["y"] > 420  # below the window
    undo.click()
    expect(page.locator("#row-4")).to_have_attribute("data-target", "")
    assert undo.bounding_box() == place  # so that a second click undoes, too
    undo.click()
    assert texts(page) == (f"{OVERVIEW} The man wears a grey shirt.",) * 2
    page.locator("#spatial").press("Control+End")
    page.locator("#spatial").press_sequentially(" Typed.")
    page.locator("#row-1 input:checked").focus()
    page.keyboard.press("Control+z")
    assert texts(page) == (f"{OVERVIEW} Typed.", OVERVIEW)
    expect(page.locator("#row-1 input:checked")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def check_that_a_click_on_a_sentence_takes_the_keys_there(page):
    page.locator("#said-3").click()
    expect(page.locator("#row-3")).to_have_attribute("data-current", "")
    page.keyboard.press("t")
    expect(page.locator("#row-3")).to_have_attribute("data-target", "temporal")
    page.locator("#row-1 .split-number").click()
    page.keyboard.press("s")
    expect(page.locator("#row-1")).to_have_attribute("data-target", "spatial")
    assert texts(page)[1] == f"{OVERVIEW} He turns the melon twice."


def check_that_sentences_come_in_their_order_whatever_the_order_of_choosing(page):
    for number in (5, 3, 4, 2):
        choose(page, number, "Spatial")
    assert texts(page)[0] == (
        f"{OVERVIEW} The man wears a grey shirt. A green melon lies on a wooden board. "
        "He turns the melon twice. Then he cuts it in half and lifts one half."
    )
    choose(page, 4, "Temporal")
    choose(page, 1, "Neither")
    assert texts(page) == (
        "The man wears a grey shirt. A green melon lies on a wooden board. "
        "Then he cuts it in half and lifts one half.",
        "He turns the melon twice.",
    )


def test_choices_are_undone_made_by_a_click_and_listed_as_keys(page_of, anna, held):
    page = open_split(page_of, anna, held)
    check_that_undo_goes_back_and_never_over_typed_text(page)
    check_that_a_click_on_a_sentence_takes_the_keys_there(page)
    page.get_by_role("button", name="Keys").click()
    expect(page.locator("#page-keys")).to_contain_text("To neither")


def test_sentences_come_in_their_order_and_without_warnings_nothing_is_asked(page_of, anna, held):
    page = open_split(page_of, anna, held)
    check_that_sentences_come_in_their_order_whatever_the_order_of_choosing(page)
    choose(page, 1, "Both")
    for number in range(5, 8):
        choose(page, number, "Temporal")
    page.locator("#submit-only").click()
    page.wait_for_url("**/p/dives/")


def check_that_plain_arrows_choose_within_a_sentence(page):
    page.locator("#row-1 input").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#row-1")).to_have_attribute("data-target", "temporal")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#row-1")).to_have_attribute("data-target", "both")
    assert texts(page) == (f"{OVERVIEW} The man wears a grey shirt.",) * 2


def check_that_what_was_edited_is_never_touched(page):
    choose(page, 2, "Spatial")
    choose(page, 3, "Spatial")
    edited = (
        f"{OVERVIEW} The man wears a grey shirt with three buttons. Mine. "
        "A green melon lies on a wooden board."
    )
    page.locator("#spatial").fill(edited)
    choose(page, 2, "Temporal")
    assert texts(page) == (edited, f"{OVERVIEW} The man wears a grey shirt.")
    row = page.locator("#row-1")
    expect(row).to_contain_text("Edited in the spatial text, so it stays there.")
    row.get_by_role("button", name="Show it").click()
    assert selected(page, "spatial") == "The man wears a grey shirt with three buttons."
    choose(page, 2, "Both")
    expect(row).to_contain_text("Already in the spatial text, edited; nothing was added.")
    assert texts(page)[0] == edited
    row.get_by_role("button", name="Add it anyway").click()
    assert texts(page)[0] == edited.replace("Mine.", "Mine. The man wears a grey shirt.")
    choose(page, 3, "Neither")
    assert "melon lies" not in texts(page)[0]
    assert "three buttons. Mine." in texts(page)[0]


def check_that_the_marks_lie_exactly_behind_the_words(page):
    for text in ("word " * 300 + "\n\n", "x" * 900 + " é漢字 😀 " * 80, "a\tb  c \n" * 9):
        page.locator("#spatial").fill(text)
        box, layer = (
            page.locator(place).evaluate("(e) => [e.clientWidth, e.scrollHeight]")
            for place in ("#spatial", "[data-mirror-of=spatial]")
        )
        assert box == layer


def check_that_warned_words_are_marked_where_they_stand_past_emoji(page):
    page.locator("#spatial").fill(f"{OVERVIEW} 😀👩‍👩‍👧 He runs and\nA parrot runs.")
    expect(page.locator("[data-mirror-of=spatial] mark")).to_have_text(["runs", "parrot", "runs"])
    link = page.locator("#spatial-warnings [data-kind=motion]").get_by_role("link", name="runs ×2")
    places = []
    for _ in range(3):
        link.click()
        assert selected(page, "spatial") == "runs"
        places.append(page.evaluate("document.getElementById('spatial').selectionStart"))
    assert places[0] == places[2] < places[1]
    # typed in front of them, they keep their places until the next check
    page.locator("#spatial").press("Control+Home")
    page.keyboard.insert_text("😀 ")
    link.click()
    assert selected(page, "spatial") == "runs"
    expect(page.locator("[data-mirror-of=spatial] mark").first).to_have_text("runs")


def test_arrows_choose_and_edited_words_stay_in_front_of_their_marks(page_of, anna, held):
    page = open_split(page_of, anna, held)
    check_that_plain_arrows_choose_within_a_sentence(page)
    check_that_what_was_edited_is_never_touched(page)
    check_that_the_marks_lie_exactly_behind_the_words(page)
    check_that_warned_words_are_marked_where_they_stand_past_emoji(page)


def test_the_keyboard_alone_is_enough(page_of, anna, held):
    page = open_split(page_of, anna, held)
    page.keyboard.press("s")
    expect(page.locator("#row-1")).to_have_attribute("data-target", "spatial")
    page.keyboard.press("Control+z")
    expect(page.locator("#row-1 input:checked")).to_have_count(0)
    page.keyboard.press("Alt+ArrowUp")  # from the first undecided, the second, to the first
    expect(page.locator("#row-0 input:checked")).to_be_focused()
    page.keyboard.press("ArrowDown")
    for key in "ssttor":
        page.keyboard.press(key)
    expect(page.locator("#decided")).to_have_text("all 7 decided")
    assert [row.get_attribute("data-target") for row in page.locator(".split-sentence").all()] == [
        "both",
        "spatial",
        "spatial",
        "temporal",
        "temporal",
        "both",
        "neither",
    ]
    page.locator("#temporal").focus()
    page.keyboard.press("Alt+s")  # the current sentence, the last, from within the text
    expect(page.locator("#row-6")).to_have_attribute("data-target", "spatial")
    expect(page.locator("#temporal")).to_be_focused()
    expect(page.locator("#split-status")).to_have_text("Sentence 7: spatial.")
    page.keyboard.type("s")
    assert "s" in texts(page)[1]
    page.keyboard.press("Control+Enter")
    expect(page.locator("#warned")).to_be_focused()
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/p/dives/")
    assert Caption.objects.filter(kind="spatial").count() == 1


def test_sixty_sentences_and_hostile_ones(page_of, project, anna, make_playable_clip, axe):
    objects = f"A melon. {HOSTILE} " + " ".join(f"Object {n} lies there." for n in range(55))
    held = hold_split(
        make_playable_clip(project), anna, objects=objects, actions="He cuts it.", misc="It ends."
    )
    page = open_split(page_of, anna, held)
    last = page.locator(".split-sentence").count() - 1
    assert last >= 59
    page.locator("#row-1 input").first.focus()
    page.keyboard.type("s" * last)
    assert texts(page)[0] == f"{OVERVIEW} {objects} He cuts it. It ends."
    wait_saved(page, held)
    assert held.draft[f"target-{last}"] == "spatial"
    page.locator("#spatial").press("Control+End")
    page.keyboard.insert_text(" <b>zebras</b>")
    expect(page.locator("#spatial-warnings")).to_contain_text("zebras")
    expect(page.locator("#work-form img, #work-form script, #work-form b")).to_have_count(0)
    axe(page)


def test_real_captions_with_many_warnings(
    page_of, project, anna, emil, make_playable_clip, screenshot, axe
):
    """Also the pictures to look at."""
    texts = texts_of("bikes")
    merged = {part: texts["merged"][part] for part in PARTS}
    other = hold_split(make_playable_clip(project), emil, **merged)
    submit_split(other, spatial=texts["split"]["spatial"], temporal=texts["split"]["temporal"])
    held = hold_split(make_playable_clip(project), anna, **merged)
    fill_draft(
        held,
        spatial=texts["split"]["spatial"] + " Then a parrot runs and jumps over two zebras.",
        temporal="The red bus drives. A white car rolls. 😀 " + texts["split"]["temporal"],
    )
    page = open_split(page_of, anna, held)
    for number, target in [(1, "Both"), (2, "Spatial"), (3, "Neither"), (4, "Temporal")]:
        choose(page, number, target)
    expect(page.locator("[data-mirror-of=temporal] mark")).to_have_count(8)
    screenshot(page, "split", full_page=True)
    compared = page.locator("#spatial-warnings [data-kind=near_duplicate]")
    expect(compared).to_contain_text(f"Very close to {other.item.clip.short_name} (similarity 0.")
    compared.locator("summary").click()
    expect(compared.locator("mark.repeat").nth(1)).to_be_visible()
    page.locator("#spatial").scroll_into_view_if_needed()
    screenshot(page, "split-warnings")
    axe(page)
