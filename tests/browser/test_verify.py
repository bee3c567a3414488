"""Verifying a caption in a real browser, by keyboard alone."""

import pytest
from playwright.sync_api import expect

from annotate.models import Caption
from annotate.text.sentences import split_sentences
from review.verification.models import Verification
from tests.browser.work_pages import SAVED, open_work, state, stored, visit
from tests.hand_work import machine_caption
from tests.review.verification.verifying import CAPTION, MENDED_TEXT, hold_verification

HARD_TEXTS = (
    "<script>alert(1)</script> He runs. <img src=x onerror=alert(2)> הוא הולך. 😀",
    "no punctuation at all",
    "A family 👨\u200d👩\u200d👧 waves. 😀 They leave\u200b. \u200fThey\u00ad stop.",
    "היא הולכת. היא רצה!\n\nهل هو هنا؟ نعم.",
)
LONG = (
    "The video opens on a wide shot of an outdoor swimming pool with a tall concrete tower. "
    "A young woman in a dark swimsuit walks slowly along the wet edge and adjusts her cap. "
    "She looks up at the platform, where another diver waits for a sign from the trainer. "
    "The trainer is a trainer.\n\nThe second diver jumps and turns twice. A dog sits on the grass."
)

TIMES_FOR_A_WHILE = """async () => {
  const times = [];
  for (let look = 0; look < 15; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    times.push(document.querySelector("video").currentTime);
  }
  return times;
}"""

# What the keys change in the document: nodes added, nodes removed, attributes and texts.
COUNT_CHANGES = """() => {
  window.changes = 0;
  new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records)
      changes += Math.max(1, addedNodes.length + removedNodes.length);
  }).observe(document.body, {
    subtree: true, childList: true, attributes: true, characterData: true
  });
}"""


@pytest.fixture
def clip(project, make_playable_clip):
    # Ten frames a second make its 50 frames long enough for a missing segment.
    return make_playable_clip(project, fps_num=10)


def rows(page):
    return page.locator("li.verify-row")


def rebuilt_text(page):
    return page.evaluate(
        """[...document.querySelector(".verify-rebuilt").childNodes]
           .filter((node) => node.nodeName !== "DEL").map((node) => node.textContent).join("")"""
    )


def test_a_caption_is_verified_by_keyboard_alone(page_of, clip, anna):
    held = hold_verification(anna, machine_caption(clip, CAPTION))
    page = open_work(page_of, anna, held)
    keys = page.keyboard
    expect(rows(page).first).to_be_focused()
    for key in (".", ".", "f", "l", "t"):  # two frames on, a second on
        keys.press(key)
    expect(page.get_by_label("Seen from frame")).to_have_value("2")
    expect(page.get_by_label("to", exact=True)).to_have_value("13")
    keys.press("p")
    page.wait_for_function("() => !document.querySelector('video').paused")
    keys.press("Space")
    keys.press("o")
    keys.press("a")
    keys.press("ControlOrMeta+a")
    keys.type("His cap is orange.")
    keys.press("Alt+3")
    expect(page.get_by_label("Verdict of sentence 2")).to_have_value("A#C")
    keys.type("He climbs a rope.")
    keys.press("Alt+g")
    keys.type("f5")
    keys.press("Enter")  # and back in the text
    keys.press("Alt+7")
    keys.press("Tab")
    keys.press("Tab")
    keys.type("45")
    keys.press("Alt+ArrowDown")
    keys.press("Delete")
    expect(page.get_by_label("Verdict of sentence 3")).to_have_value("B")
    expect(rows(page).nth(3)).to_be_focused()
    keys.press("o")
    expect(page.locator("#theme")).to_be_focused()
    keys.press("w")
    expect(page.locator(".verify-count")).to_have_text("4 of 4 decided", use_inner_text=True)
    expect(page.locator("#rebuilt:not([aria-busy]) del", has_text="It is a door.")).to_be_visible()
    assert rebuilt_text(page) == MENDED_TEXT
    expect(state(page)).to_have_text(SAVED)
    keys.press("ControlOrMeta+Enter")
    page.wait_for_url("**/p/*/")
    assert Caption.objects.get(source=Caption.Source.CORRECTED).text == MENDED_TEXT
    verification = Verification.objects.get()
    segment = verification.missing_segments.get()
    assert (segment.start_frame, segment.end_frame) == (5, 45)
    first, *others = verification.verdicts.values_list("start_frame", "end_frame")
    assert first == (2, 13)
    assert others == [(None, None)] * 3


def check_that_a_caption_that_the_server_cannot_give_is_not_shown(page):
    lost = page.get_by_text("The corrected caption can’t be shown now.")
    expect(lost).to_be_hidden()
    page.route("**/changes/", lambda route: route.abort())
    page.keyboard.press("a")
    correction = page.get_by_label("Corrected sentence").first
    page.keyboard.type(" Rather")
    expect(lost).to_be_visible()
    expect(page.locator("#rebuilt")).to_be_hidden()
    expect(correction).to_be_focused()
    page.unroute("**/changes/")
    page.keyboard.type(" slowly.")
    expect(page.locator("#rebuilt ins")).to_have_text(" Rather slowly.")
    expect(lost).to_be_hidden()
    expect(correction).to_be_focused()


def check_that_an_answer_to_an_earlier_question_comes_too_late(page):
    waiting = []
    rows(page).nth(1).click(position={"x": 5, "y": 5})
    page.route("**/changes/", lambda route: waiting.append(route), times=1)
    page.keyboard.press("a")
    with page.expect_request("**/changes/"):
        page.keyboard.type(" Slowly")
    with page.expect_response("**/changes/"):
        page.keyboard.type(" now.")
    expect(page.locator("#rebuilt ins").last).to_have_text(" Slowly now.")
    with page.expect_response("**/changes/"):
        waiting[0].continue_()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert page.locator("#rebuilt ins").last.text_content() == " Slowly now."


def check_that_p_plays_the_frames_that_the_caption_has_for_the_sentence(page):
    expect(rows(page).first).to_be_focused()
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Clear the loop")).to_be_enabled()
    page.wait_for_function("() => document.querySelector('video').currentTime >= 2")
    page.keyboard.press("Space")


def test_spans_of_the_caption_are_played_and_the_last_answer_is_the_corrected_caption(
    page_of, clip, anna, console_errors
):
    console_errors.expect("ERR_FAILED")
    caption = Caption.objects.create(
        project=clip.project, clip=clip, kind="general", source="machine", text=CAPTION,
        word_count=9, spans=[{"text_start": 0, "text_end": 5, "start_frame": 20, "end_frame": 30}],
    )  # fmt: skip
    page = open_work(page_of, anna, hold_verification(anna, caption))
    check_that_p_plays_the_frames_that_the_caption_has_for_the_sentence(page)
    check_that_a_caption_that_the_server_cannot_give_is_not_shown(page)
    check_that_an_answer_to_an_earlier_question_comes_too_late(page)


def test_a_span_is_marked_again_taken_out_and_taken_from_the_loop(page_of, clip, anna):
    held = hold_verification(anna, machine_caption(clip, CAPTION))
    page = open_work(page_of, anna, held)
    start, end = page.get_by_label("Seen from frame"), page.get_by_label("to", exact=True)
    rows(page).first.focus()
    page.keyboard.press("t")
    expect(end).to_have_value("1")
    for key in (".", ".", "f"):  # from the other side
        page.keyboard.press(key)
    expect(start).to_have_value("2")
    expect(end).to_have_value("")
    expect(state(page)).to_have_text(SAVED)
    assert {name for name in stored(held) if "span" in name} == {"span-0-start", "span-0-end"}
    again = open_work(page_of, anna, held)
    expect(again.get_by_label("Seen from frame")).to_have_value("2")
    again.get_by_role("button", name="Remove").click()
    expect(rows(again).first).to_be_focused()
    expect(state(again)).to_have_text(SAVED)
    assert not any("span" in name for name in stored(held))

    again.keyboard.press("Alt+a")
    again.keyboard.press("ArrowDown")
    again.keyboard.press("c")
    again.get_by_role("button", name="Use the player's loop").click()
    expect(state(again)).to_have_text(SAVED)
    draft = stored(held)
    assert (draft["missing-1-start"], draft["missing-1-end"]) == ("0", "50")


def test_in_a_short_clip_nothing_is_missing_and_frames_count_from_its_start(
    page_of, project, make_playable_clip, anna
):
    clip = make_playable_clip(project, start_frame=10, end_frame=40)
    page = open_work(page_of, anna, hold_verification(anna, machine_caption(clip, CAPTION)))
    expect(page.get_by_text("This clip is shorter than 3 s")).to_be_visible()
    rows(page).first.focus()
    for key in ("c", "i"):
        page.keyboard.press(key)
    expect(page.get_by_label("Verdict of sentence 1")).to_have_value("")
    assert page.get_by_label("Missing content").count() == 0
    for key in ("f", "l", "t", "p"):  # at 25 frames a second one second on is frame 25
        page.keyboard.press(key)
    expect(page.get_by_label("Seen from frame")).to_have_value("0")
    expect(page.get_by_label("to", exact=True)).to_have_value("26")
    page.wait_for_function("() => !document.querySelector('video').paused")
    times = page.evaluate(TIMES_FOR_A_WHILE)  # over and over
    assert 10 / 25 <= min(times) <= max(times) < 37 / 25
    assert page.evaluate("!document.querySelector('video').paused")


def test_another_tab_builds_the_fields_that_were_opened_in_this_one(page_of, clip, anna):
    held = hold_verification(anna, machine_caption(clip, CAPTION))
    page = open_work(page_of, anna, held)
    other = page.context.new_page()
    visit(other, held)
    rows(page).first.focus()
    for key in ("f", "c", "Escape", "ArrowDown", "Delete"):
        page.keyboard.press(key)
    page.get_by_label("Missing content").fill("A rope hangs down.")
    expect(other.get_by_label("Missing content")).to_have_value("A rope hangs down.")
    expect(other.locator("#span-0-start")).to_have_value("0")
    expect(other.get_by_label("Delete sentence")).to_be_checked()
    expect(other.locator("[data-decided]")).to_have_text("2")
    expect(other.locator("#rebuilt del")).to_have_text("He wears a red cap.")


def test_what_is_undecided_is_listed_and_a_mark_set_again_keeps_what_was_typed(
    page_of, clip, anna, console_errors
):
    console_errors.expect("422")
    held = hold_verification(anna, machine_caption(clip, CAPTION))
    page = open_work(page_of, anna, held)
    rows(page).first.focus()
    page.keyboard.press("o")
    page.get_by_role("button", name="Submit", exact=True).click()
    problems = page.locator("#problems")
    expect(problems).to_contain_text("Sentences 2 to 4 are undecided: choose ok, or A, B, C or D.")
    expect(problems).to_contain_text("Say whether the caption as a whole is about this clip")
    assert Verification.objects.count() == 0
    marked = page.locator(".verify-verdict[aria-invalid]")
    expect(marked).to_have_count(3)

    row = rows(page).nth(1)
    row.click(position={"x": 5, "y": 5})
    page.keyboard.press("b")
    expect(marked).to_have_count(2)
    correction = page.get_by_label("Corrected sentence")
    correction.fill("He wears a cap.")
    page.get_by_label("Delete sentence").check()
    expect(correction).to_be_hidden()
    page.get_by_label("Delete sentence").uncheck()
    expect(correction).to_have_value("He wears a cap.")
    page.keyboard.press("Escape")
    expect(row).to_be_focused()
    page.keyboard.press("b")
    page.keyboard.press("Alt+2")
    expect(correction).to_have_value("He wears a cap.")
    expect(state(page)).to_have_text(SAVED)
    again = open_work(page_of, anna, held)
    expect(again.get_by_label("Verdict of sentence 2")).to_have_value("B")
    expect(again.get_by_label("Corrected sentence")).to_have_value("He wears a cap.")


def test_any_text_is_shown_as_it_is_and_mended_as_it_was_shown(page_of, clip, anna):
    text = "\n\n".join(HARD_TEXTS)
    first = [split_sentences(part)[0].text for part in HARD_TEXTS]
    page = open_work(page_of, anna, hold_verification(anna, machine_caption(clip, text)))
    sentences = [sentence.text for sentence in split_sentences(text)]
    assert page.locator("[data-text]").all_text_contents() == sentences
    assert page.locator("[data-text] *, .verify-rebuilt *").count() == 0
    directions = page.locator("[data-text]").evaluate_all(
        "texts => texts.map((text) => getComputedStyle(text).direction)"
    )
    assert [directions[sentences.index(sentence)] for sentence in first] == ["ltr"] * 3 + ["rtl"]
    keys = page.keyboard
    for sentence in sentences:
        if sentence not in first:
            keys.press("o")
            continue
        for key in ("d", "Escape", "e", "End"):
            keys.press(key)
        keys.type(" <b>x</b> هنا")
        keys.press("Alt+ArrowDown")
    keys.press("Alt+9")
    expect(page.locator("#rebuilt:not([aria-busy]) ins")).to_have_count(4)
    seen = rebuilt_text(page)
    assert page.locator(".verify-rebuilt :not(ins, del)").count() == 0
    keys.press("ControlOrMeta+Enter")
    page.wait_for_url("**/p/*/")
    for sentence in first:
        text = text.replace(sentence, f"{sentence} <b>x</b> هنا", 1)
    assert Caption.objects.get(source=Caption.Source.CORRECTED).text == seen == text


def test_it_looks_right_and_is_accessible(page_of, clip, anna, axe, screenshot):
    page = open_work(page_of, anna, hold_verification(anna, machine_caption(clip, LONG)))
    rows(page).first.focus()
    for keys in ("o", "a", "Alt+ArrowDown", "c", "Alt+ArrowDown", "b"):
        page.keyboard.press(keys)
    page.get_by_label("Corrected sentence").first.fill(
        "A young man in a dark swimsuit walks slowly along the wet edge."
    )
    page.get_by_label("Missing content").fill("A child jumps into the water.")
    page.get_by_label("Delete sentence").nth(1).check()
    page.wait_for_timeout(400)
    axe(page)
    screenshot(page, "verify", full_page=True)


def test_hundreds_of_sentences_stay_usable(page_of, clip, anna):
    text = "\n".join(f"Step {number}" for number in range(400))
    page = page_of(anna)
    visit(page, hold_verification(anna, machine_caption(clip, text)))
    rows(page).first.focus()
    page.evaluate(COUNT_CHANGES)
    for _ in range(20):
        page.keyboard.press("o")
    page.keyboard.press("End")
    expect(rows(page).last).to_be_focused()
    page.keyboard.press("a")
    expect(page.get_by_label("Corrected sentence")).to_be_in_viewport()
    expect(page.locator("[data-decided]")).to_have_text("21")
    expect(state(page)).to_have_text(SAVED)
    # Each of the 22 keys changes its own rows, never all of them.
    assert 22 < page.evaluate("changes") < 22 * 60
