"""Identifying a clip by its text, by keyboard in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import WorkItem
from review.identification.models import IdentificationTask, IdentifiedClip
from review.identification.services import start_test
from tests.browser.work_pages import SAVED, open_work, state
from tests.review.identification.identifying import make_complete, take


@pytest.fixture
def held(project, anna, ben, ada, make_playable_clip):
    for word in ("boat", "horse", "kettle", "ladder"):
        make_complete(project, ben, word, make=make_playable_clip)
    start_test(project=project, admin=ada, kinds=["spatial"], options=4, people=1)
    return take(anna, project)


def chosen(page):
    return page.locator("#place [name=place]:checked")


def test_keys_pick_submit_and_change_the_last_pick(page_of, project, anna, held, axe, screenshot):
    page = open_work(page_of, anna, held)
    page.keyboard.press("2")
    expect(chosen(page)).to_have_value("2")
    expect(state(page)).to_have_text(SAVED)
    axe(page)
    screenshot(page, "identify")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Pick saved: this text.")).to_be_visible()
    following = page.url
    expect(chosen(page)).to_have_count(0)
    page.wait_for_load_state()

    page.keyboard.press("u")
    page.wait_for_url(f"**{reverse('annotate:work', args=[held.pk])}")
    expect(chosen(page)).to_have_value("2")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your pick is changed.")).to_be_visible()
    assert page.url == following
    task = IdentificationTask.objects.get(pk=WorkItem.objects.get(pk=held.item_id).subject)
    picks = IdentifiedClip.objects.filter(task=task).order_by("pk")
    assert [pick.clip_id for pick in picks] == [task.clips[1], task.clips[2]]
