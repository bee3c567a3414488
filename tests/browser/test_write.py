"""The Write page, used in a real browser."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Assignment, Caption, WorkRules
from tests.browser.looks import widths
from tests.browser.work_pages import open_work, visit
from tests.work import WRITE_UP, fill_draft, hold, make_work

PARTS = ["overview", "objects", "actions", "misc"]


@pytest.fixture
def held(project, anna, make_playable_clip):
    """Anna's hold on a clip, with another clip waiting behind it."""
    assignment = hold(anna, make_work(make_playable_clip(project)))
    make_work(make_playable_clip(project))
    return assignment


def work_url(assignment):
    return reverse("annotate:work", args=[assignment.pk])


def fill(page, **parts):
    for part, text in parts.items():
        page.locator(f"#{part}").fill(text)


def test_writing_submits_one_caption_and_opens_the_next_page(page_of, anna, held, console_errors):
    console_errors.expect("422")
    page = open_work(page_of, anna, held)
    fill(page, **WRITE_UP)
    page.get_by_label("Main objects with number").check()
    page.locator("#misc").press("Control+Enter")
    page.wait_for_url(lambda url: url.endswith("/") and work_url(held) not in url)
    following = Assignment.objects.exclude(pk=held.pk).get()
    expect(page).to_have_url(re.compile(f"{work_url(following)}$"))
    caption = Caption.objects.get()
    assert caption.parts["overview"] == WRITE_UP["overview"]
    held.refresh_from_db()
    assert held.draft["check-1"] == "on"
    assert page.evaluate("Object.keys(localStorage).filter(k => /draft|earlier/.test(k))") == []
    check_that_the_message_covers_nothing_and_ends_with_an_error(page, held)


def check_that_the_message_covers_nothing_and_ends_with_an_error(page, held):
    message = page.locator("#toasts > li")
    expect(message).to_have_text(f"Write-up submitted: {held.item.clip.short_name}.")
    box, main = message.bounding_box(), page.locator(".work-main").bounding_box()
    points, bar = (page.locator(part).bounding_box() for part in (".work-media", ".work-bar"))
    assert box["x"] + box["width"] <= main["x"]
    assert points["y"] + points["height"] <= box["y"]
    assert box["y"] + box["height"] <= bar["y"]
    page.set_viewport_size({"width": 390, "height": 844})
    box = message.bounding_box()
    assert box["y"] + box["height"] <= page.locator(".player").bounding_box()["y"]
    page.locator("#submit-only").click()
    expect(page.locator("#problems")).to_contain_text("Not submitted yet")
    expect(message).to_have_count(0)


COPY = """text => {
  const field = document.body.appendChild(document.createElement("textarea"));
  field.value = text;
  field.select();
  document.execCommand("copy");
  field.remove();
}"""


def check_that_nothing_pasted_is_cut(page):
    objects = page.locator("#objects")
    objects.fill("One.")
    page.evaluate(COPY, "x" * 31_000)
    for part in ("#objects", "#skip-detail"):
        if part == "#skip-detail":
            page.get_by_role("button", name="Skip").click()
        page.locator(part).focus()
        page.keyboard.press("ControlOrMeta+v")
    expect(page.locator("#skip [role=alert]")).to_contain_text("31,000 characters, and 400 more")
    page.keyboard.press("x")
    expect(page.locator("#skip [role=alert]")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(objects).to_have_value("One.")
    note = page.locator("#objects-field [role=alert]")
    expect(note).to_have_text(
        "Not pasted: the text has 31,000 characters, and 19,996 more fit here."
    )
    objects.fill("غواص يقفز.")
    expect(note).to_have_count(0)
    expect(objects).to_have_css("direction", "rtl")
    assert (
        page.evaluate("""() => [...document.querySelectorAll("textarea, input[type=text]")]
      .filter((field) => field.dir !== "auto" && !field.inputMode).map((field) => field.id)""")
        == []
    )


def check_that_words_are_counted_while_typing(page):
    fill(page, overview="It's a left-hand throw.", objects="One. " * 160)
    expect(page.locator("[data-count-of=overview]")).to_have_text("4 words")
    expect(page.locator("[data-count-of=objects]")).to_have_text("160 words")
    expect(page.locator(".work-bar .budget strong")).to_have_text("164")
    expect(page.locator(".work-bar .budget")).to_have_attribute("data-state", "inside")
    fill(page, actions="Two. " * 160)
    expect(page.locator(".budget-advice")).to_have_text(", 24 too many")


def check_that_nothing_moves_while_typing_and_saving(page):
    before = page.locator("#actions").bounding_box()
    page.locator("#overview").press_sequentially("A diver jumps.")
    assert page.locator("#actions").bounding_box() == before
    expect(page.locator("#save-state")).to_have_text(re.compile(r"^Saved "))
    assert page.locator("#actions").bounding_box() == before


def check_that_the_keys_work_in_the_middle_of_a_sentence(page):
    box = page.locator("#overview")
    box.fill("A diver")
    page.keyboard.press("Alt+KeyH")
    expect(page.locator("#guideline")).to_be_visible()
    page.keyboard.press("F1")
    expect(page.locator("#guideline")).to_be_hidden()
    expect(box).to_be_focused()
    box.press_sequentially(" jumps")
    with page.expect_response("**/draft/") as saved:
        page.keyboard.press("Control+s")
    assert saved.value.status == 200
    expect(box).to_have_value("A diver jumps")


def check_that_time_at_work_and_watched_frames_are_counted(page, held):
    page.wait_for_function("() => document.querySelector('video').readyState >= 3")
    page.locator("#overview").press("End")
    page.keyboard.press("Alt+KeyK")
    page.wait_for_timeout(3000)  # not the browser's clock: the server counts by its own
    with page.expect_response("**/heartbeat/"):
        page.evaluate("dispatchEvent(new Event('online'))")
    held.refresh_from_db()
    assert held.active_seconds >= 2
    assert held.watched[0][0] == 0
    assert held.watched[0][1] >= 40


def test_what_is_typed_ticked_and_watched_is_counted_and_saved(page_of, anna, held):
    page = open_work(page_of, anna, held)
    check_that_nothing_moves_while_typing_and_saving(page)
    with page.expect_response("**/draft/"):
        page.get_by_label("Clothing and looks").check()
    held.refresh_from_db()
    assert held.draft["check-2"] == "on"
    check_that_the_keys_work_in_the_middle_of_a_sentence(page)
    check_that_words_are_counted_while_typing(page)
    check_that_nothing_pasted_is_cut(page)
    check_that_time_at_work_and_watched_frames_are_counted(page, held)


def test_an_empty_page_is_clear_and_problems_are_named_at_the_top_and_at_the_field(
    page_of, anna, held, axe, screenshot, console_errors
):
    console_errors.expect("status of 422")
    page = page_of(anna)
    with page.expect_request(  # the next clip is loaded already
        lambda r: "/playback" in r.url and f"/{held.item.clip.video_id}/" not in r.url
    ):
        visit(page, held)
    page.wait_for_function("() => document.querySelector('video').readyState >= 2")
    screenshot(page, "write-empty")
    for _ in widths(page):
        axe(page)
    page.set_viewport_size({"width": 1280, "height": 800})

    fill(page, **{**WRITE_UP, "overview": "", "misc": "One sentence only."})
    page.locator("#submit-next").click()
    summary = page.locator("#problems")
    expect(summary).to_be_focused()
    expect(summary.locator("li")).to_have_count(2)
    expect(page.locator("#overview-error")).to_have_text(
        "Overview is empty; write 1 sentence that sums up the video."
    )
    expect(page.locator("#overview")).to_have_attribute("aria-invalid", "true")
    expect(page).to_have_title(re.compile("^Not complete: "))
    axe(page)
    screenshot(page, "write-problems")
    summary.get_by_role("link").first.click()
    expect(page.locator("#overview")).to_be_focused()
    assert Caption.objects.count() == 0

    fill(page, overview=WRITE_UP["overview"])
    expect(page.locator("#overview-error")).to_be_hidden()
    expect(page.locator("#overview")).not_to_have_attribute("aria-invalid", "true")
    expect(summary.locator("li")).to_have_text(["Misc has 1 sentence; write 2 to 4."])
    fill(page, actions="", misc=WRITE_UP["misc"])
    expect(summary).to_be_hidden()
    expect(page).not_to_have_title(re.compile("^Not complete: "))
    expect(page.locator("#actions-error")).to_be_hidden()  # until the next submit
    fill(page, actions=WRITE_UP["actions"])
    page.locator("#submit-only").click()
    page.wait_for_url("**/p/dives/")
    assert Caption.objects.count() == 1


def test_a_full_text_that_was_returned_is_comfortable_to_read_below_the_comment(
    page_of, anna, emil, held, axe, screenshot
):
    long = {
        **WRITE_UP,
        "objects": WRITE_UP["objects"] + " A steel ladder stands at the left edge." * 13,
    }
    fill_draft(held, **long, **{"check-0": "on", "check-3": "on"})
    Assignment.objects.filter(pk=held.pk).update(
        return_comment="Which hand?\nAnd please name the colour of the board.", returned_by=emil
    )
    page = open_work(page_of, anna, held)
    expect(page.get_by_label("Sent back")).to_contain_text("Emil sent this back")
    expect(page.get_by_role("button", name="Skip")).to_have_count(0)
    for part in PARTS:
        box = page.locator(f"#{part}")
        assert box.evaluate("e => e.scrollHeight - e.clientHeight") <= 1, part
    page.wait_for_function("() => document.querySelector('video').readyState >= 2")
    axe(page)
    screenshot(page, "write-returned")
    screenshot(page, "write-returned-page", full_page=True)


def test_the_guideline_is_searched_kept_open_and_opens_once_when_it_has_changed(
    page_of, anna, held, project, axe, screenshot
):
    page = page_of(anna)
    with page.expect_response("**/guideline-seen/"):
        visit(page, held)
    guideline = page.locator("#guideline")
    expect(guideline).to_be_hidden()
    page.keyboard.press("F1")
    search = page.get_by_label("Search the guideline")
    expect(search).to_be_focused()
    search.fill("overview <b>")
    expect(guideline.locator("#guideline-matches")).to_contain_text("Nothing matches")
    search.fill("overview")
    expect(guideline.locator("mark.match").first).to_be_visible()
    axe(page)
    screenshot(page, "guideline-search")
    search.press("Escape")
    expect(search).to_have_value("")
    text = "# Write\n\nLook twice.\n\nSay **which** hand."
    WorkRules.objects.create(project=project, kind="write", guideline=text)
    with page.expect_response("**/guideline-seen/"):
        visit(page, held)
    expect(guideline.locator("[data-changed]")).to_have_count(3)
    expect(page.locator("#overview")).to_be_focused()
    screenshot(page, "guideline-changed")
    visit(page, held)
    expect(guideline).to_be_visible()
    expect(guideline.locator("[data-changed]")).to_have_count(0)
    guideline.get_by_role("button", name="Close").click()
    visit(page, held)
    expect(guideline).to_be_hidden()


def open_skip_dialog(page, reason, detail):
    page.get_by_role("button", name="Skip").click()
    page.get_by_label(reason, exact=True).check()
    page.get_by_role("textbox", name="Details").fill(detail)


def test_skipping_asks_for_a_reason_and_keeps_the_text(page_of, anna, held, axe, console_errors):
    console_errors.expect("status of 400|status of 410")
    page = open_work(page_of, anna, held)
    check_that_a_refusal_is_said_in_the_dialog(page, held)
    fill(page, overview="Half a sentence")
    page.get_by_role("button", name="Skip").click()
    axe(page)
    page.keyboard.press("Escape")
    open_skip_dialog(page, "Other", "  ")
    error, detail = page.locator("#skip-detail-error"), page.get_by_role("textbox", name="Details")
    page.get_by_role("button", name="Skip this clip").click()
    expect(error).to_have_text("Say why you skip this clip, so that an admin can fix it.")
    expect(detail).to_be_focused()
    expect(page.get_by_label("Other", exact=True)).to_be_checked()
    axe(page)
    page.keyboard.type("Two clips in one")
    expect(error).to_be_hidden()
    page.keyboard.press("Enter")
    page.wait_for_url("**/p/dives/")
    held.refresh_from_db()
    assert held.skip_reason == "Two clips in one"
    assert held.draft["overview"] == "Half a sentence"
    page.get_by_role("button", name="Take it again").click()
    expect(page.locator("#overview")).to_have_value("Half a sentence")
    expect(page.locator("#overview")).to_be_editable()

    open_skip_dialog(page, "Too dark to see", "only the last second")
    page.get_by_role("button", name="Skip this clip").click()
    page.wait_for_url("**/p/dives/")
    held.refresh_from_db()
    assert held.skip_reason == "Too dark to see: only the last second"


def check_that_a_refusal_is_said_in_the_dialog(page, held):
    Assignment.objects.filter(pk=held.pk).update(state="expired")
    open_skip_dialog(page, "Too dark to see", "all of it")
    page.get_by_role("button", name="Skip this clip").click()
    expect(page.locator("#skip-detail-error")).to_contain_text("You no longer hold this clip")
    expect(page.get_by_role("textbox", name="Details")).to_have_value("all of it")
    Assignment.objects.filter(pk=held.pk).update(state="held")
    page.reload()


def test_a_double_click_on_submit_makes_one_caption_and_no_heartbeat_follows(page_of, anna, held):
    page = open_work(page_of, anna, held)
    fill(page, **WRITE_UP)
    beats = []

    def answer_late(route):
        reply = route.fetch()  # the server has the submit, the page does not know yet
        page.on("request", lambda r: beats.append(r.url) if "/heartbeat/" in r.url else None)
        page.evaluate("dispatchEvent(new Event('online'))")
        route.fulfill(response=reply)

    page.route("**/submit/", answer_late)
    page.locator("#submit-only").dblclick()
    page.wait_for_url("**/p/dives/")
    assert Caption.objects.count() == 1
    assert beats == []
    expect(page.get_by_text("Write-up submitted: Clip ")).to_be_visible()


def test_it_works_without_javascript(page_of, anna, held, console_errors):
    console_errors.expect("status of 422")
    page = page_of(anna, java_script_enabled=False)
    page.goto(work_url(held))
    fill(page, **{**WRITE_UP, "overview": ""})
    page.locator("#submit-only").click()
    expect(page.locator("#overview-error")).to_contain_text("Overview is empty")
    expect(page.locator("#objects")).to_have_value(WRITE_UP["objects"])
    held.refresh_from_db()
    assert held.draft["objects"] == WRITE_UP["objects"]
    fill(page, overview=WRITE_UP["overview"])
    page.locator("#submit-only").click()
    page.wait_for_url("**/p/dives/")
    assert Caption.objects.count() == 1
