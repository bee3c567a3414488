"""Two modifications that read the same: asked about while one is written, changed afterwards."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Clip
from review.modifications.models import Modification
from tests.browser.work_pages import open_work
from tests.review.capst.judging import modify_item
from tests.review.triplets.triplets import make_label, make_pair, modify
from tests.work import hold


@pytest.fixture
def labels(project, make_playable_clip):
    labels = []
    for key in ("2.5", "3.5", "1.5"):
        label = make_label(project, key, f"Forward, {key} somersaults, pike")
        clip = make_playable_clip(project, start_frame=10, end_frame=30)
        Clip.objects.filter(pk=clip.pk).update(label=label)
        labels.append(label)
    return labels


def test_it_is_asked_once_whether_the_text_stays(page_of, labels, emil, axe, console_errors):
    console_errors.expect("422")
    modify(labels[0], labels[2], "show with 2.5 twists")
    page = open_work(page_of, emil, hold(emil, modify_item(make_pair(labels[0], labels[1]))))
    confirmed = page.get_by_label("Submit although another text reads the same")
    expect(confirmed).to_be_hidden()
    page.get_by_label("What changes").fill("show with two and a half twists")
    page.keyboard.press("Control+Enter")
    expect(confirmed).to_be_focused()
    axe(page)
    page.keyboard.press("Space")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert Modification.objects.filter(state="accepted").count() == 2


def test_an_accepted_text_is_changed(page_of, labels, emil, project, axe):
    modify(labels[0], labels[2], "show with 2.5 twists")
    page = page_of(emil)
    page.goto(reverse("review:modifications", args=[project.slug]))
    page.get_by_role("link", name="Change show with 2.5 twists").click()
    axe(page)
    page.get_by_label("Text").fill("show more twists")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="Change show more twists")).to_be_visible()
    axe(page)
