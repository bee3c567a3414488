"""The Merge page, used in a real browser on two write-ups of real length."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Caption, WorkItem
from annotate.queue.content import merge_rows
from tests.annotate.text.samples import ANNA, BEN
from tests.merge_work import (
    SHORT_A,
    SHORT_B,
    all_of,
    all_of_short,
    hold_merge,
    open_merge,
    resume_merge,
    rewrite,
    save,
    write_up_of,
)
from tests.work import expire, hold


@pytest.fixture
def held(project, emil, anna, ben, make_playable_clip):
    return hold(emil, open_merge(make_playable_clip(project), (anna, SHORT_A), (ben, SHORT_B)))


@pytest.fixture
def quarrel(project, emil, anna, ben, make_playable_clip):
    """Two write-ups with five conflicts."""
    return hold(emil, open_merge(make_playable_clip(project), (anna, ANNA), (ben, BEN)))


def open_work(page_of, assignment, **options):
    page = page_of(assignment.annotator, **options)
    page.goto(reverse("annotate:work", args=[assignment.pk]))
    page.wait_for_selector("#lease")
    return page


def text_of(page, row):
    return page.locator(f"[name={row}-text]")


def texts(page, part):
    return page.locator(f"#{part} textarea").evaluate_all("all => all.map(one => one.value)")


def draft_of(assignment):
    assignment.refresh_from_db()
    return merge_rows(assignment.draft)


def wait_until_saved(page):
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")


def check_that_keys_move_between_rows_and_move_rows(page, held):
    text_of(page, "overview-0").focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(text_of(page, "objects-0")).to_be_focused()
    page.keyboard.press("Alt+Digit3")
    first = all_of_short("a")["objects"][0]
    both = first["a_text"] + " " + first["b_text"]
    expect(text_of(page, "objects-0")).to_have_value(both)
    expect(text_of(page, "objects-1")).to_be_focused()  # the next row
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+Shift+ArrowDown")
    expect(text_of(page, "objects-1")).to_be_focused()
    expect(text_of(page, "objects-1")).to_have_value(both)
    page.keyboard.press("Alt+ArrowUp")
    expect(text_of(page, "objects-0")).to_be_focused()
    wait_until_saved(page)
    page.reload()
    expect(text_of(page, "objects-1")).to_have_value(both)
    assert draft_of(held)["objects"][1]["a"] == 0


def test_keys_and_buttons_move_rows_and_merge_them_to_the_submit(page_of, held):
    page = open_work(page_of, held)
    check_that_keys_move_between_rows_and_move_rows(page, held)
    text_of(page, "overview-0").focus()
    page.keyboard.press("Alt+Digit1")
    expect(text_of(page, "overview-0")).to_have_value(SHORT_A["overview"])
    for part in ("objects", "actions"):
        page.get_by_role("button", name=f"Take all of A for {part.capitalize()}").click()
    page.get_by_role("button", name="Take all of B for Misc").click()
    text_of(page, "objects-0").focus()
    page.keyboard.press("Alt+Digit2")
    text_of(page, "actions-0").press("End")
    page.keyboard.type(" It is long.")
    expect(page.locator("#actions-0 [data-origin]")).to_have_text("From A, new")
    expect(page.locator("#objects-0 [data-origin]")).to_have_text("From B")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/p/dives/")
    merged = Caption.objects.get(source="merged")
    assert merged.parts["overview"] == SHORT_A["overview"]
    assert merged.parts["misc"] == SHORT_B["misc"]
    assert next(o["origin"] for o in merged.provenance if o["part"] == "objects") == "b"
    assert {o["origin"] for o in merged.provenance} == {"a", "b", "new"}
    assert merged.parents.count() == 2
    assert WorkItem.objects.get(kind="split").state == WorkItem.State.OPEN


def check_that_counts_and_the_text_as_it_will_read_are_live(page):
    text_of(page, "overview-0").fill("A bus. A car.")
    expect(page.locator("#overview [data-words]")).to_have_text("4 words")
    expect(page.locator("#overview [data-sentences]")).to_have_text("2")
    expect(page.locator("#overview [data-counts]")).to_have_class(re.compile("over"))
    text_of(page, "objects-0").fill("It is red.")
    expect(page.locator(".work-bar .budget strong")).to_have_text("7")
    expect(page.locator("#preview-wide [data-preview]")).to_have_text("A bus. A car. It is red.")


def check_that_rows_are_added_and_removed_only_when_empty(page, held):
    count = len(texts(page, "misc"))
    page.get_by_role("button", name="Add a sentence to Misc").click()
    expect(text_of(page, f"misc-{count}")).to_be_focused()
    page.keyboard.type("Only I saw this.")
    own = page.locator(f"#misc-{count}")
    expect(own.locator("[data-origin]")).to_have_text("New")
    expect(own.get_by_role("button", name="Remove")).to_be_hidden()
    expect(page.locator("#misc-0").get_by_role("button", name="Remove")).to_be_hidden()
    wait_until_saved(page)
    assert draft_of(held)["misc"][count]["text"] == "Only I saw this."
    text_of(page, f"misc-{count}").fill("")
    own.get_by_role("button", name="Remove").click()
    assert len(texts(page, "misc")) == count


def test_what_is_typed_is_counted_never_lost_and_removed_only_when_empty(page_of, held):
    page = open_work(page_of, held)
    page.get_by_role("button", name="Keys").click()
    expect(page.locator("#page-keys")).to_contain_text("Take both")
    page.keyboard.press("Escape")
    check_that_counts_and_the_text_as_it_will_read_are_live(page)

    # Taking a sentence, and clearing it, never loses what was typed.
    text_of(page, "overview-0").fill("What I typed.")
    page.keyboard.press("Alt+Digit1")
    text_of(page, "overview-0").fill("What I typed then.")
    page.locator("#overview-0").get_by_role("button", name="Clear the text").click()
    expect(text_of(page, "overview-0")).to_have_value("")
    count = len(texts(page, "misc"))
    check_that_rows_are_added_and_removed_only_when_empty(page, held)
    misc = check_that_taking_all_asks_only_before_typed_text_is_replaced(page)
    replaced = check_that_taking_all_asks_nothing_of_texts_that_were_taken(page)
    wait_until_saved(page)

    again = open_work(page_of, held)
    assert texts(again, "misc") == misc
    assert len(misc) == count
    undo = again.locator("#overview-0").get_by_role("button", name="Undo")
    undo.click()
    expect(text_of(again, "overview-0")).to_have_value("What I typed then.")
    undo.click()
    expect(text_of(again, "overview-0")).to_have_value("What I typed.")
    undo.click()
    expect(text_of(again, "overview-0")).to_have_value("What I typed then.")
    for row, text in replaced.items():
        again.locator(f"#objects-{row}").get_by_role("button", name="Undo").click()
        expect(text_of(again, f"objects-{row}")).to_have_value(text)


def check_that_taking_all_asks_only_before_typed_text_is_replaced(page):
    page.get_by_role("button", name="Take all of A for Misc").click()
    page.get_by_role("button", name="Take all of B for Misc").click()
    dialog = page.locator("#replace")
    expect(dialog).to_be_hidden()
    row = next(n for n, row in enumerate(all_of_short("b")["misc"]) if row["b_text"])
    text_of(page, f"misc-{row}").fill("Typed.")
    page.get_by_role("button", name="Take all of A for Misc").click()
    expect(dialog).to_contain_text("Your text in 1 row would be replaced.")
    dialog.get_by_role("button", name="Keep my text").click()
    expect(text_of(page, f"misc-{row}")).to_have_value("Typed.")
    page.get_by_role("button", name="Take all of A for Misc").click()
    dialog.get_by_role("button", name="Replace").click()
    assert " ".join(filter(None, texts(page, "misc"))) == SHORT_A["misc"]
    page.locator(f"#misc-{row}").get_by_role("button", name="Undo").click()
    expect(text_of(page, f"misc-{row}")).to_have_value("Typed.")
    return texts(page, "misc")


def check_that_taking_all_asks_nothing_of_texts_that_were_taken(page):
    """Return by row what an undo brings back."""
    proposed_rows = all_of_short("a")["objects"]
    first, *_, last = [n for n, row in enumerate(proposed_rows) if row["a_text"] and row["b_text"]]
    for row in (first, last):
        text_of(page, f"objects-{row}").focus()
        page.keyboard.press("Alt+Digit3")
    before = texts(page, "objects")
    page.get_by_role("button", name="Take all of A for Objects").click()
    expect(page.locator("#replace")).to_be_hidden()
    assert " ".join(filter(None, texts(page, "objects"))) == SHORT_A["objects"]
    page.locator(f"#objects-{last}").get_by_role("button", name="Undo").click()
    expect(text_of(page, f"objects-{last}")).to_have_value(before[last])
    return {first: before[first], last: proposed_rows[last]["a_text"]}


def check_that_a_text_that_breaks_the_rules_names_the_part(page, axe):
    text_of(page, "overview-0").fill("A bus. A car.")
    page.locator("#submit-only").click()
    expect(page.locator("#overview-error")).to_have_text(
        "Overview has 2 sentences; write exactly 1."
    )
    axe(page)
    page.locator("#problems").get_by_role("link").first.click()
    expect(page.locator("#overview")).to_be_focused()


def test_conflicts_are_looked_at_in_two_places_and_asked_for_once(
    page_of, quarrel, axe, screenshot, console_errors
):
    console_errors.expect("422")
    save(quarrel, all_of("a", ANNA, BEN))
    page = open_work(page_of, quarrel)
    screenshot(page, "merge-conflicts")
    conflicts = page.locator("#conflicts")
    expect(conflicts.get_by_role("listitem")).to_have_count(5)
    conflicts.get_by_role("link").nth(2).click()
    expect(text_of(page, "objects-2")).to_be_focused()

    check_that_a_text_that_breaks_the_rules_names_the_part(page, axe)  # before the question
    reminder = page.locator("#unlooked")
    expect(reminder).to_be_hidden()
    text_of(page, "overview-0").fill(ANNA["overview"])
    page.locator("#submit-only").click()
    expect(reminder).to_be_focused()
    expect(reminder.get_by_role("link")).to_have_count(5)
    axe(page)
    reminder.get_by_role("link").nth(2).click()
    expect(text_of(page, "objects-2")).to_be_focused()
    page.locator("#objects-2").get_by_label("Looked at").check()
    expect(reminder.get_by_role("link")).to_have_count(4)
    expect(conflicts).to_contain_text("1 of 5 looked at")
    conflicts.get_by_role("checkbox").first.check()
    expect(page.locator("#objects-0").get_by_label("Looked at").first).to_be_checked()
    wait_until_saved(page)
    assert Caption.objects.filter(source="merged").count() == 0

    again = open_work(page_of, quarrel)
    expect(again.locator("#conflicts")).to_contain_text("2 of 5 looked at")
    expect(again.locator("#objects-2").get_by_label("Looked at")).to_be_checked()

    page.locator("#submit-only").click()
    page.wait_for_url("**/p/dives/")
    looked = [check["looked"] for check in Caption.objects.get(source="merged").checks]
    assert looked == [True, False, True, False, False]


def test_a_full_merge_is_comfortable_to_read_and_submitted_once_it_follows_the_rules(
    page_of, project, emil, anna, ben, make_playable_clip, screenshot
):
    held = hold_merge(make_playable_clip(project), emil, anna, ben)
    save(held, all_of("a"))
    page = open_work(page_of, held)
    hidden = page.locator("#work-form textarea").evaluate_all(
        "all => all.map(e => e.scrollHeight - e.clientHeight)"
    )
    assert max(hidden) <= 1
    text_of(page, "objects-2").focus()
    screenshot(page, "merge-full")
    screenshot(page, "merge-full-page", full_page=True)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#submit-only").dblclick()
    page.wait_for_url("**/p/dives/")
    assert Caption.objects.filter(source="merged").count() == 1


def test_sending_back_and_continuing_with_every_word(
    page_of, held, anna, axe, screenshot, console_errors
):
    console_errors.expect("status of 400")
    save(held, all_of_short("b"))
    clip = held.item.clip
    page = open_work(page_of, held)
    text_of(page, "overview-0").fill("What I typed just before.")
    page.get_by_role("button", name="Send back…").first.click()
    dialog = page.locator("#send-back-a")
    comment = dialog.get_by_label("What should change")
    comment.fill(" ")
    page.keyboard.press("Control+Enter")
    expect(dialog.get_by_text("Write what should change")).to_be_visible()
    expect(comment).to_be_focused()
    comment.fill("Which way does the bus go?")
    axe(page)
    dialog.get_by_role("button", name="Send A back").click()
    expect(page.get_by_text("Waiting for the rewrite of A.")).to_be_visible()
    expect(text_of(page, "overview-0")).to_have_value("What I typed just before.")
    expect(text_of(page, "overview-0")).to_have_attribute("readonly", "")
    expect(page.locator("#submit-only")).to_have_count(0)
    axe(page)
    screenshot(page, "merge-waiting")

    first, *others = SHORT_A["objects"].split(". ")
    rewrite(
        anna,
        clip,
        overview=SHORT_A["overview"].replace("six short shots", "six very short shots"),
        objects=". ".join(others) + " A bin stands beside the door.",
    )
    page = open_work(page_of, resume_merge(held))
    expect(page.get_by_label("A was rewritten")).to_be_visible()
    expect(text_of(page, "overview-0")).to_have_value("What I typed just before.")
    page.locator("#overview-0").get_by_text("Rewritten").click()
    expect(page.locator("#overview-0 .merge-before ins")).to_have_text("very")
    expect(page.locator("#objects")).to_contain_text(f"A no longer says {first}.")
    for part in ("objects", "actions", "misc"):
        assert " ".join(filter(None, texts(page, part))) == SHORT_B[part]
    axe(page)
    screenshot(page, "merge-rewritten")
    page.locator("#submit-only").click()
    page.wait_for_url("**/p/dives/")
    merged = Caption.objects.get(source="merged")
    assert merged.parts == {**SHORT_B, "overview": "What I typed just before."}
    assert write_up_of(anna, clip) in merged.parents.all()


def test_two_devices_see_both_versions_and_what_was_typed_offline_comes_back(
    page_of, held, console_errors
):
    console_errors.expect("status of 409|ERR_INTERNET_DISCONNECTED")
    first_device, second_device = open_work(page_of, held), open_work(page_of, held)
    text_of(first_device, "overview-0").fill("The first device.")
    first_device.get_by_role("button", name="Add a sentence to Misc").click()
    first_device.keyboard.type("A row more.")
    wait_until_saved(first_device)
    text_of(second_device, "overview-0").fill("The second device.")
    conflict = second_device.locator("#conflict")
    expect(conflict).to_contain_text("The first device.")
    expect(second_device.locator("#misc textarea").last).to_have_value("A row more.")
    conflict.get_by_role("button", name="Take the saved version").click()
    expect(text_of(second_device, "overview-0")).to_have_value("The first device.")
    expect(second_device.locator("#misc textarea").last).to_have_value("A row more.")
    second_device.locator("#earlier-button").click()
    second_device.locator("#earlier").get_by_role("button", name="Restore").click()
    expect(text_of(second_device, "overview-0")).to_have_value("The second device.")
    wait_until_saved(second_device)
    assert draft_of(held)["overview"][0]["text"] == "The second device."
    check_that_what_was_typed_offline_is_there_when_the_page_comes_back(second_device, held)


def check_that_what_was_typed_offline_is_there_when_the_page_comes_back(page, held):
    page.context.set_offline(True)
    text_of(page, "actions-1").fill("Typed without a connection.")
    page.get_by_role("button", name="Add a sentence to Misc").click()
    page.keyboard.type("So was this.")
    expect(page.locator("#save-state")).to_have_text("Offline, kept on this device")
    context = page.context
    page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(reverse("annotate:work", args=[held.pk]))
    expect(text_of(page, "actions-1")).to_have_value("Typed without a connection.")
    expect(page.locator("#misc textarea").last).to_have_value("So was this.")
    wait_until_saved(page)
    assert draft_of(held)["actions"][1]["text"] == "Typed without a connection."


def test_a_lost_hold_keeps_the_text_and_submits_nothing(page_of, held, console_errors):
    console_errors.expect("status of 410")
    save(held, all_of_short("a"))
    page = open_work(page_of, held)
    expire(held)
    text_of(page, "overview-0").fill("Typed too late.")
    # Not by the mouse: saving may find out first and take the button away.
    page.locator("#submit-only").press("Enter")
    expect(page.locator("#hold-ended")).to_be_visible()
    wait_until_saved(page)
    assert Caption.objects.filter(source="merged").count() == 0
    assert draft_of(held)["overview"][0]["text"] == "Typed too late."
    page.get_by_role("button", name="Take it again").click()
    expect(page.locator("#submit-only")).to_be_visible()
    expect(text_of(page, "overview-0")).to_have_value("Typed too late.")


def test_without_javascript_it_is_a_plain_form(page_of, held):
    save(held, all_of_short("a"))
    page = open_work(page_of, held, java_script_enabled=False)
    text_of(page, "overview-0").fill(SHORT_B["overview"])
    expect(page.locator("[data-take-all]").first).to_be_hidden()
    page.locator("#submit-only").click()
    page.wait_for_url("**/p/dives/")
    assert Caption.objects.get(source="merged").parts == SHORT_A | {"overview": SHORT_B["overview"]}


def test_a_review_of_one_write_up_is_accessible(
    page_of, project, emil, anna, make_playable_clip, axe, screenshot
):
    held = hold(emil, open_merge(make_playable_clip(project), (anna, SHORT_A)))
    page = open_work(page_of, held)
    axe(page)
    screenshot(page, "merge-review")
