"""The scores of a clip's captions: in both schemes and on a phone."""

from playwright.sync_api import expect

from inference.models import RefineAttempt, RunItem
from tests.browser.looks import scrolls_sideways, widths_and_schemes
from tests.inference.cast import make_model
from tests.inference.scored import OTHER, make_clips, score, score_run
from tests.inference.segmented import make_run


def make_scores(project, clip) -> None:
    """Give the clip a score under the threshold, one out of date, and a failed refinement."""
    encoder = make_model(project, "lexical", name="A model with quite a long name")
    run = score_run(project, encoder)
    first = score(clip, 0.1, run)
    stale = score(clip, 0.35, run, caption=first.caption, scorer=OTHER, scorer_name="x" * 120)
    RunItem.objects.filter(pk=stale.item_id).update(stale_because="prompt")
    refine = make_run(project)
    refine.kind, refine.model = "refine", encoder
    refine.recipe |= {"kind": "refine", "scorer": "", "threshold": 0.2, "chain": []}
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


def test_it_reads_well_empty_and_full(page_of, axe, screenshot, project, ada):
    clip = make_clips(project, 2)[0]
    page = page_of(ada)
    page.goto(f"/p/dives/clips/{clip.pk}/scores/")
    expect(page.get_by_role("heading", name="No caption yet")).to_be_visible()
    axe(page)
    make_scores(project, clip)
    page.reload()
    expect(page.get_by_role("heading", name="Refined by")).to_be_visible()
    screenshot(page, "clip-scores", full_page=True)
    for width in widths_and_schemes(page):
        axe(page)
        assert not scrolls_sideways(page), width
    # An attempt leads to its caption.
    link = page.get_by_role("link", name="A model with quite a long name").first
    page.locator(link.get_attribute("href")).wait_for()
