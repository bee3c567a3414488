"""The scores of a clip's captions: in both schemes and on a phone."""

import pytest
from playwright.sync_api import expect

from inference.models import RefineAttempt, RunItem
from tests.browser.looks import scrolls_sideways, widths_and_schemes
from tests.inference.cast import make_model
from tests.inference.scored import OTHER, make_clips, score, score_run
from tests.inference.segmented import make_run


@pytest.fixture
def address(project):
    """A clip with a score under the threshold, one out of date, and a refinement that failed."""
    encoder = make_model(project, "lexical", name="A model with quite a long name")
    run = score_run(project, encoder)
    clip = make_clips(project, 2)[0]
    first = score(clip, 0.1, run)
    stale = score(clip, 0.35, run, caption=first.caption, scorer=OTHER, scorer_name="x" * 120)
    RunItem.objects.filter(pk=stale.item_id).update(stale_because="prompt")
    refine = make_run(project)
    refine.kind, refine.model = "refine", encoder
    refine.recipe |= {"threshold": 0.2}
    refine.save()
    item = RunItem.objects.create(
        run=refine, clip=clip, position=1, key="refine", state="done",
        note="to be written by hand after 2 attempts",
    )  # fmt: skip
    tried = score(clip, 0.15, run, item=item)
    RefineAttempt.objects.create(
        item=item, number=1, model=encoder, caption=tried.caption, score=0.15
    )
    RefineAttempt.objects.create(item=item, number=2, model=encoder, reason="It said nothing.")
    return f"/p/dives/clips/{clip.pk}/scores/"


def test_it_has_no_accessibility_fault(page_of, axe, screenshot, ada, address):
    page = page_of(ada)
    page.goto(address)
    expect(page.get_by_role("heading", name="Refined by")).to_be_visible()
    screenshot(page, "clip-scores", full_page=True)
    for width in widths_and_schemes(page):
        axe(page)
        assert not scrolls_sideways(page), width


def test_an_attempt_leads_to_its_caption(page_of, ada, address):
    page = page_of(ada)
    page.goto(address)
    link = page.get_by_role("link", name="A model with quite a long name").first
    page.locator(link.get_attribute("href")).wait_for()


def test_a_clip_without_a_caption_says_what_comes_first(page_of, axe, project, ada):
    clip = make_clips(project, 2)[0]
    page = page_of(ada)
    page.goto(f"/p/dives/clips/{clip.pk}/scores/")
    expect(page.get_by_role("heading", name="No caption yet")).to_be_visible()
    axe(page)
