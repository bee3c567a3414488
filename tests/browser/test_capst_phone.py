"""Checking elements on a phone, in a real browser."""

from playwright.sync_api import expect

from annotate.models import Caption, WorkItem
from review.elements.services import hand_out_elements
from tests.browser.work_pages import open_work
from tests.review.capst.capst_runs import (
    described_clip,
    judge,
    start,
    word_overlap,
)
from tests.work import hold


def test_the_caption_stays_in_sight_while_its_lists_are_written(
    page_of, project, make_playable_clip, anna, axe, screenshot
):
    described_clip(project, make=make_playable_clip)
    judge(run=start(project, None, word_overlap(project)))
    hand_out_elements(project=project, preset="default", admin=None)
    temporal = Caption.objects.get(kind="temporal")
    held = hold(anna, WorkItem.objects.get(kind="elements", subject=temporal.pk))
    page = open_work(page_of, anna, held, width=390, height=844)
    caption = page.get_by_role("region", name="Temporal caption")
    for name in ("Events", "Objects"):
        written = page.get_by_label(name, exact=True)
        written.focus()
        written.evaluate("writing => writing.scrollIntoView()")
        expect(caption).to_be_in_viewport(ratio=1)
        above, bar = caption.bounding_box(), page.locator(".work-bar").bounding_box()
        end = above["y"] + above["height"]
        assert end <= written.bounding_box()["y"]
        assert bar["y"] - end > 844 / 2
    axe(page)
    screenshot(page, "elements-phone")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
