"""Signing off the texts of a clip, by keyboard in a real browser."""

import pytest
from playwright.sync_api import expect

from annotate.models import Project, SignOff
from annotate.queue.services import claim_next
from tests.browser.work_pages import SAVED, open_work, state
from tests.cast import make_person
from tests.review.cast import complete, open_clip


@pytest.fixture
def eva(project):
    return make_person("Eva", project, "expert")


@pytest.fixture
def held(project, anna, ben, emil, eva, make_playable_clip):
    Project.objects.filter(pk=project.pk).update(sign_offs=1, min_words=5)
    project.refresh_from_db()
    complete(project, open_clip(project, "dive", make=make_playable_clip), [anna, ben], emil)
    membership = eva.memberships.select_related("project", "user").get()
    return claim_next(membership=membership, kind="signoff")


def chosen(page):
    return page.locator("#verdict input:checked")


def test_keys_choose_the_verdict_and_lead_to_the_comment(page_of, eva, held, axe, screenshot):
    page = open_work(page_of, eva, held)
    page.keyboard.press("s")
    expect(chosen(page)).to_have_value("agree")
    expect(page.locator("#verdict-status")).to_contain_text("is chosen.")
    page.keyboard.press("r")
    expect(chosen(page)).to_have_value("merge")
    comment = page.get_by_label("Comment")
    expect(comment).to_be_focused()
    page.keyboard.type("Sentence 1: spires, not towers.")
    expect(chosen(page)).to_have_value("merge")
    page.locator("h1").click()
    page.keyboard.press("p")
    expect(chosen(page)).to_have_value("split")
    expect(comment).not_to_be_focused()
    expect(state(page)).to_have_text(SAVED)
    axe(page)
    screenshot(page, "sign-off", full_page=True)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Verdict saved: Clip ")).to_be_visible()
    sign_off = SignOff.objects.get()
    assert (sign_off.verdict, sign_off.comment) == ("split", "Sentence 1: spires, not towers.")
