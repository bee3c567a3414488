"""A participant of a panel from the link to the code, with what the admin sees of them."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.consent.services import write_consent_text
from annotate.corpus.services.opening import open_dynamics_check
from annotate.models import Assignment, Project
from review.panels.models import Panel, Participant
from tests.browser.looks import schemes, scrolls_sideways, widths
from tests.review.panels.panel import PERSON
from tests.review.quality.known import ask, make_known

CHOICES = {"dynamic": "d", "static": "n"}


@pytest.fixture
def project(project):
    Project.objects.filter(pk=project.pk).update(protocol="lovr")
    project.refresh_from_db()
    return project


def look(page, axe, screenshot, name):
    for _ in schemes(page):
        axe(page)
    assert not any(scrolls_sideways(page) for _ in widths(page))
    screenshot(page, name, full_page=True)


def judge(page, verdict):
    """Answer the dynamics check on the page, without watching it, and go on."""
    expect(page.get_by_role("radiogroup", name="Is this video dynamic?")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press(CHOICES[verdict])
    expect(page.locator("#verdict input:checked")).to_have_value(verdict)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#unwatched")).to_be_focused()
    page.keyboard.press("Control+Enter")


def test_a_participant_goes_from_the_link_to_the_code(
    page_of, live, axe, screenshot, project, ada, anna, rita, make_playable_clip
):
    known_answer = make_known(project, ada, [anna, rita], "training", make=make_playable_clip)
    ask(project, ada, pass_share=1.0)
    write_consent_text(
        project=project, admin=ada, text="We keep your votes.", asks_again=True, base_number=0
    )
    for _ in range(3):
        open_dynamics_check(make_playable_clip(project).video)

    admin = page_of(ada)
    admin.goto(reverse("review:panels", args=[project.slug]))
    admin.get_by_role("link", name="New panel").click()
    admin.get_by_label("Name").fill("Do these videos move?")
    admin.get_by_label("Places").fill("20")
    admin.get_by_label("Minutes per person").fill("45")
    admin.get_by_label("Dynamics check").fill("2")
    admin.get_by_label("Completed").fill("C1DONE")
    return_address = "https://app.prolific.com/submissions/complete?cc={code}"
    admin.get_by_label("Return address").fill(return_address)
    look(admin, axe, screenshot, "panel-new")
    admin.get_by_role("button", name="Make the panel").click()
    link = admin.get_by_label("Link", exact=True).input_value()
    look(admin, axe, screenshot, "panel-made")

    person = page_of(None)
    person.goto(re.sub(r"\{\{%PROLIFIC_PID%\}\}", PERSON, link))
    expect(person.get_by_text("We keep your votes.")).to_be_visible()
    look(person, axe, screenshot, "panel-join")
    person.get_by_role("button", name="I agree, begin").click()
    expect(person.get_by_text("0 of 2")).to_be_visible()
    look(person, axe, screenshot, "panel-begin")
    person.get_by_role("button", name="Begin").click()

    person.get_by_role("button", name="Start").click()
    judge(person, "dynamic")
    expect(person.get_by_text("Your answer is right")).to_be_visible()
    expect(person.get_by_text(known_answer.explanation)).to_be_visible()
    person.get_by_role("link", name="See results").click()
    person.get_by_role("button", name="Start working").click()
    judge(person, "dynamic")

    expect(person.locator(".work-clip")).not_to_be_empty()
    elsewhere = page_of(None)
    elsewhere.goto(re.sub(r"\{\{%PROLIFIC_PID%\}\}", PERSON, link))
    elsewhere.get_by_role("button", name="I agree, begin").click()
    expect(elsewhere.get_by_text("1 of 2")).to_be_visible()
    elsewhere.get_by_role("button", name="Continue").click()
    judge(elsewhere, "static")
    expect(elsewhere.get_by_label("Your code")).to_have_value("C1DONE")
    look(elsewhere, axe, screenshot, "panel-code")
    back = elsewhere.get_by_role("link", name="Return to the panel")
    expect(back).to_have_attribute("href", return_address.format(code="C1DONE"))
    elsewhere.goto(reverse("annotate:my_work", args=[project.slug]))
    look(elsewhere, axe, screenshot, "panel-my-work")
    elsewhere.get_by_role("link", name="Get your code").click()
    expect(elsewhere.get_by_label("Your code")).to_have_value("C1DONE")
    participant = Participant.objects.get()
    assert Assignment.objects.filter(annotator=participant.person, state="submitted").count() == 3

    admin.goto(reverse("review:panel", args=[project.slug, Panel.objects.get().pk]))
    expect(admin.get_by_text(PERSON)).to_be_visible()
    admin.get_by_role("button", name="Participant 1: approve").click()
    expect(admin.get_by_role("row", name="Participant 1")).to_contain_text("Approved")
    look(admin, axe, screenshot, "panel-people")
