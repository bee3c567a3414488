"""Models and runs in a real browser: start one, see it move, retry, cancel."""

import re

import pytest
from playwright.sync_api import expect

from annotate.jobs.services.leases import take_items
from annotate.jobs.services.planning import plan_job
from annotate.models import Caption
from inference.models import InferenceRun, RunItem
from inference.specs.services import add_built_in_models, add_model, place_model
from tests.browser.looks import schemes, scrolls_sideways, widths
from tests.browser.sidebar import open_page
from tests.cast import make_clip
from tests.inference.cast import make_playable_clips, run_through, start_run
from tests.inference.outcomes import BROKEN, EMPTY, SLOW, leave

CLIPS = 5


@pytest.fixture
def clips(project, rendered_media):
    return make_playable_clips(project, rendered_media, CLIPS)


@pytest.fixture
def draft(project, ada):
    draft, *_ = add_built_in_models(project=project, admin=ada)
    place_model(spec=draft, move="in", admin=ada)
    draft.refresh_from_db()
    return draft


def caption_run(project, draft, ada, seed: int = 0) -> InferenceRun:
    options = {"seed": seed}
    return start_run(project=project, kind="caption", model=draft, options=options, admin=ada)


def bar(page):
    return page.get_by_role("progressbar", name="Items that have ended")


def test_a_run_is_started_moves_and_ends_without_a_reload(page_of, project, ada, clips):
    page = page_of(ada)
    page.goto("/p/dives/models/")
    page.get_by_role("button", name="Add the built-in models").click()
    expect(page.get_by_role("row", name="Measured draft describes clips")).to_be_visible()

    open_page(page, "Models", "Runs")
    page.get_by_role("link", name="New run").click()
    page.get_by_role("link", name=re.compile("^Caption ")).click()
    expect(page.get_by_text(f"{CLIPS} clips to work on.")).to_be_visible()
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_role("heading", name=re.compile(r"Caption run \d+"))).to_be_visible()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    expect(bar(page)).to_have_attribute("value", "0")
    page.evaluate("() => { window.notReloaded = true; }")

    run = InferenceRun.objects.get()
    # A worker has planned the run and done the first; it holds the next.
    assert plan_job(run)
    run.refresh_from_db()
    first, _ = take_items(run, 2)
    RunItem.objects.filter(pk=first.pk).update(state="done", lease_until=None)
    expect(bar(page)).to_have_attribute("value", "1")
    expect(page.get_by_text("Running", exact=True)).to_be_visible()

    run.items.filter(state="running").update(state="waiting", lease_until=None)
    run_through(run)
    expect(bar(page)).to_have_attribute("value", str(CLIPS))
    expect(page.get_by_text("Finished", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Cancel the run…")).to_have_count(0)
    expect(page.locator("#announcement")).to_have_text(f"Ended: {CLIPS} done.")
    assert page.evaluate("() => window.notReloaded") is True

    page.get_by_role("link", name="Caption of video").first.click()
    made = Caption.objects.filter(source="machine", made_by_items__run=run)
    assert made.count() == CLIPS - 1
    reading = page.locator(".reading").first
    expect(reading).to_have_text(made.get(clip_id=page.url.split("/")[-2]).text)


def open_run(page, run):
    page.goto(f"/p/dives/runs/{run.pk}/")


def test_the_page_of_a_run_follows_it_retries_and_cancels(page_of, project, ada, clips, draft):
    run = leave(caption_run(project, draft, ada), done=2, failed=(EMPTY, SLOW, SLOW), state="done")
    page = page_of(ada)
    page.clock.install()
    open_run(page, run)
    check_retry_by_reason(page, run)
    check_an_ended_run_is_not_asked_about_again(page)

    run = leave(caption_run(project, draft, ada, seed=1), done=1, failed=(EMPTY,))
    page.set_viewport_size({"width": 390, "height": 844})
    open_run(page, run)
    check_focus_stays_and_nothing_is_cut_off(page, run)
    check_canceling_asks_first(page)
    run.refresh_from_db()
    assert run.state == "cancelled"


def check_retry_by_reason(page, run):
    row = page.get_by_role("listitem").filter(has_text="did not answer within 120 s")
    row.get_by_role("button", name="Retry these").click()
    expect(page.get_by_text("2 tried again.")).to_be_visible()
    expect(page.get_by_role("heading", name="1 failed")).to_be_visible()
    run_through(run)
    expect(bar(page)).to_have_attribute("value", str(CLIPS))
    page.get_by_role("button", name="Retry all failed").click()
    expect(page.get_by_text("1 tried again.")).to_be_visible()
    run_through(run)
    expect(page.get_by_role("heading", name="1 failed")).to_have_count(0)
    expect(page.get_by_text("Finished", exact=True)).to_be_visible()


def check_an_ended_run_is_not_asked_about_again(page):
    requested_urls = []
    page.on("request", lambda request: requested_urls.append(request.url))
    page.clock.run_for(10_000)
    assert [url for url in requested_urls if "/live/" in url] == []


def renew(page):
    with page.expect_response(re.compile("/live/")):
        page.clock.run_for(2500)


def check_focus_stays_and_nothing_is_cut_off(page, run):
    retry = page.get_by_role("button", name="Retry all failed")
    retry.focus()
    renew(page)
    leave(run, done=1)
    renew(page)
    expect(bar(page)).to_have_attribute("value", "3")
    expect(retry).to_be_focused()
    table = page.locator("#items-table")
    assert table.evaluate("table => table.scrollWidth - table.clientWidth") == 0


def check_canceling_asks_first(page):
    page.get_by_role("button", name="Cancel the run…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    for _ in range(2):  # the first answer is on the page by the time of the second
        renew(page)
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Keep it running").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Cancel the run…")).to_be_focused()
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Cancel the run").click()
    expect(page.get_by_text("Canceled. 2 left out; what was done stays.")).to_be_visible()


def open_form(page):
    page.goto("/p/dives/runs/new/?kind=caption")


def start_and_see(page):
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_role("heading", name=re.compile(r"Caption run \d+"))).to_be_visible()


def test_the_form_of_a_run_counts_what_it_would_do(
    page_of, project, ada, clips, draft, monkeypatch
):
    leave(caption_run(project, draft, ada), done=3, state="done")
    page = page_of(ada)
    open_form(page)
    expect(page.get_by_text("3 are already done with exactly this recipe")).to_be_visible()
    check_count_follows_the_form(page)
    check_wrong_setting_in_the_folded_box_comes_in_sight(page)
    start_and_see(page)
    assert InferenceRun.objects.count() == 2

    # A large project is counted while one reads.
    leave(caption_run(project, draft, ada), done=CLIPS, state="done")
    monkeypatch.setattr("inference.runs.new_run_page.MAX_COUNTED_AT_ONCE", 2)
    open_form(page)
    nothing = page.get_by_role("button", name="Nothing to do")
    expect(nothing).to_be_disabled()
    nothing.click(force=True)
    page.get_by_label("Prompt", exact=True).fill("Say what moves.")
    start_and_see(page)
    assert InferenceRun.objects.count() == 4


def check_count_follows_the_form(page):
    prompt = page.get_by_label("Prompt", exact=True)
    prompt.press_sequentially("!", delay=20)
    expect(page.get_by_text("3 earlier results will be marked as out of date")).to_be_visible()
    page.get_by_label("Skip what this model has done").check()
    count = page.get_by_text("2 clips to work on.")
    expect(count).to_be_visible()
    # No count of an earlier form is shown.
    prompt.press("End")
    page.keyboard.type("!")
    expect(count).to_be_hidden(timeout=300)
    expect(count).to_be_visible()


def check_wrong_setting_in_the_folded_box_comes_in_sight(page):
    fold = page.locator("details.card")
    fold.locator("summary").click()
    wrong = page.get_by_label("Temperature")
    wrong.fill("9")
    expect(page.get_by_text("Temperature: Keep it between 0 and 2.")).to_be_visible()
    fold.locator("summary").click()
    expect(wrong).to_be_hidden()
    page.get_by_role("button", name="Start the run").click()
    expect(wrong).to_be_focused()
    expect(wrong).to_have_attribute("aria-invalid", "true")
    wrong.fill("1")
    expect(wrong).not_to_have_attribute("aria-invalid", "true")


def pages_of(project, ada, draft) -> dict[str, str]:
    """Every page of this app, with content."""
    draft.name = "Measured draft with a name as long as people make them when nobody stops them"
    draft.save()
    add_model(project=project, backend="opencv-draft", name=f"Second {draft.name}"[:80], admin=ada)
    for n in range(6):
        make_clip(project, original_name=f"{n}-a-very-long-name-without-any-space-{'x' * 60}.mp4")
    done = leave(caption_run(project, draft, ada, 1), done=CLIPS + 6, state="done")
    going = leave(caption_run(project, draft, ada, 2), done=3, failed=(EMPTY, SLOW, BROKEN))
    stopped = leave(caption_run(project, draft, ada, 3), done=3, state="failed")
    InferenceRun.objects.filter(pk=stopped.pk).update(reason="No GPU is here. Start a GPU worker.")
    return {
        "models": "/p/dives/models/",
        "model-new": "/p/dives/models/new/?backend=transformers-vlm",
        "model": f"/p/dives/models/{draft.pk}/",
        "runs": "/p/dives/runs/",
        "run-kinds": "/p/dives/runs/new/",
        "run-new": "/p/dives/runs/new/?kind=caption",
        "run-stale": f"/p/dives/runs/{done.pk}/",
        "run-going": f"/p/dives/runs/{going.pk}/",
        "run-stopped": f"/p/dives/runs/{stopped.pk}/",
    }


def test_the_pages_have_no_fault_and_never_scroll_sideways(
    page_of, axe, screenshot, project, ada, clips, draft
):
    page = page_of(ada)
    page.goto("/p/dives/runs/")  # which is empty
    axe(page)
    for name, address in pages_of(project, ada, draft).items():
        page.goto(address)
        page.locator("main details").evaluate_all(
            "folds => folds.forEach((fold) => { fold.open = true; })"
        )
        for width in widths(page):
            assert not scrolls_sideways(page), (name, width)
        page.set_viewport_size({"width": 1280, "height": 800})
        for _ in schemes(page):
            axe(page)
        screenshot(page, name, full_page=True)
