"""A question is asked beside the work; what is typed of it survives, and the draft stays."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import QuestionMessage
from tests.browser.looks import scrolls_sideways, widths_and_schemes
from tests.browser.work_pages import open_work, visit
from tests.work import hold, make_work

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_question_is_kept_while_typed_and_asked_in_place(
    page_of, project, anna, axe, make_playable_clip
):
    held = hold(anna, make_work(make_playable_clip(project)))
    page = open_work(page_of, anna, held)
    page.get_by_role("link", name="Ask").click()
    page.get_by_label("Your question").fill("Is this a bear or a dog?")
    visit(page, held)
    page.get_by_role("link", name="Ask").click()
    field = page.get_by_label("Your question")
    expect(field).to_have_value("Is this a bear or a dog?")
    page.get_by_label("Overview").fill("A brown animal walks.")
    field.press("Control+Enter")  # sends the question, not the work
    expect(page.locator("#question li")).to_contain_text("Is this a bear or a dog?")
    expect(field).to_have_value("")
    expect(page.get_by_label("Overview")).to_have_value("A brown animal walks.")
    assert [message.text for message in QuestionMessage.objects.all()] == [
        "Is this a bear or a dog?"
    ]
    for _ in widths_and_schemes(page):
        assert not scrolls_sideways(page)
        axe(page)


def test_without_scripts_asking_and_skipping_keep_the_text_above(
    page_of, project, anna, make_playable_clip, console_errors
):
    console_errors.expect("422")
    held = hold(anna, make_work(make_playable_clip(project)))
    page = page_of(anna, java_script_enabled=False)
    page.goto(reverse("annotate:work", args=[held.pk]))
    overview, question = page.get_by_label("Overview"), page.locator("#plain-question")
    overview.fill("A brown animal walks.")
    ask = page.locator("#ask button")  # Playwright finds no text in a noscript
    ask.click()
    expect(page.locator("#ask .error")).to_be_visible()
    expect(overview).to_have_value("A brown animal walks.")
    question.fill("Is this a bear or a dog?")
    ask.click()
    expect(page.locator("#question li")).to_contain_text("Is this a bear or a dog?")
    expect(question).to_have_value("")
    expect(overview).to_have_value("A brown animal walks.")
    question.fill("A black one?")
    page.locator("#submit-only").click()
    expect(page.locator("#objects-error")).to_be_visible()
    expect(question).to_have_value("A black one?")
    held.refresh_from_db()
    assert "question-text" not in held.draft
    overview.fill("A black bear walks.")
    page.locator("#plain-reason").select_option("Too dark to see")
    page.locator("#plain-skip button").click()
    page.wait_for_url("**/p/dives/")
    held.refresh_from_db()
    assert (held.state, held.skip_reason) == ("skipped", "Too dark to see")
    assert held.draft["overview"] == "A black bear walks."
    assert not held.draft.keys() & {"skip_reason", "skip_detail"}
