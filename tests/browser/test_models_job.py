"""The models' job in one piece, from the pages: a video is cut, its clips are captioned, embedded,
scored and refined, and their captions fused.

A real worker does the work, so every page has to move on by itself. With UPDATE_README=1 the
picture of the runs is taken at the end.
"""

import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from kombu import pools
from playwright.sync_api import expect

from annotate.models import Caption, Project, User, WorkItem
from config.celery import app
from fixtures.demo_content import load_lovr_demo
from fixtures.management.commands.load_demo import load
from inference.models import (
    Embedding,
    InferenceRun,
    QualityScore,
    QualityThreshold,
    RefineAttempt,
)
from tests.browser.sidebar import open_page
from tests.services.conftest import (  # noqa: F401
    environment,
    idle_worker,
    product,
    products,
    redis_server,
)

README_PICTURE = Path(__file__).parents[2] / "docs" / "img" / "runs.png"
SLUG = "lovr-demo"
SHOTS = [0, 30, 76, 137, 187, 242]  # the first frame of each, as seen in the player
SETTINGS_OF_SHORT_CLIPS = {
    "Shortest video": 0,
    "Cut threshold": 27,
    "Shortest clip": 0.5,
    "Fewest clips": 1,
}
WORKS_FOR = 60  # seconds that a run may take on a busy machine
ASKS_AFTER = 2500  # milliseconds after which the page of a run has asked for news


@pytest.fixture
def ada_moreau(live) -> User:
    """The admin of the demo's second project, in which there is the clip of six shots alone."""
    demo = load_lovr_demo()
    bikes = tuple(video for video in demo.videos if video.file == "bikes.mp4")
    begun = replace(demo, videos=bikes, release="", scenes={}, themes={})
    load(begun, password="", report=lambda text: None)
    return User.objects.get(name="Ada Moreau")


@pytest.fixture
def worker(live, idle_worker, monkeypatch):  # noqa: F811
    """A running worker, on the broker that the pages send to."""
    connections = pools.producers[idle_worker.app.connection_for_write()]
    monkeypatch.setattr(app.amqp, "_producer_pool", connections)
    idle_worker.start()
    return idle_worker


def wait_for_the_worker(number: int) -> None:
    """Wait until the worker has finished this many runs."""
    late = time.monotonic() + WORKS_FOR
    while InferenceRun.objects.filter(state="done").count() < number:
        assert time.monotonic() < late, list(InferenceRun.objects.values("kind", "state"))
        time.sleep(0.05)


def run_to_the_end(page, kind, number, *, model=None, settings=None, tick=None):
    """Start a run and wait until its page, which is not loaded again, says that it has finished."""
    runs = InferenceRun.objects.count()
    page.goto(f"/p/{SLUG}/runs/new/?kind={kind.lower()}")
    if model:
        page.get_by_label(model).check()
    for label, value in (settings or {}).items():
        page.get_by_label(label, exact=True).fill(str(value))
    if tick:
        page.get_by_label(tick).check()
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_role("heading", name=re.compile(f"^{kind} run"))).to_be_visible()
    page.evaluate("window.neverLoadedAgain = true")
    state = page.locator("#run-state")
    wait_for_the_worker(runs + 1)
    page.clock.run_for(ASKS_AFTER)
    expect(state.locator(".badge").first).to_have_text("Finished")
    expect(state.get_by_text(f"{number} of {number}")).to_be_visible()
    bar = state.get_by_role("progressbar")
    assert (bar.get_attribute("value"), bar.get_attribute("max")) == (str(number), str(number))
    expect(page.locator("#run-items tbody .badge.ok")).to_have_count(number)
    assert page.evaluate("window.neverLoadedAgain")


def test_six_shots_are_cut_captioned_embedded_scored_refined_and_fused(
    page_of, ada_moreau, worker, console_errors
):
    project = Project.objects.get(slug=SLUG)
    project.min_clip_seconds = 0  # one of the six shots is shorter than half a second
    project.save(update_fields=["min_clip_seconds"])
    [video] = project.videos.all()
    page = page_of(ada_moreau)
    page.clock.install()

    run_to_the_end(page, "Segment", 1, settings=SETTINGS_OF_SHORT_CLIPS)
    clips = list(video.clips.exclude(end_frame=video.frames, start_frame=0).order_by("start_frame"))
    assert [clip.start_frame for clip in clips] == SHOTS

    run_to_the_end(page, "Caption", 6, model="Measured draft")
    drafts = {caption.clip: caption for caption in Caption.objects.filter(project=project)}
    assert set(drafts) == set(clips)
    assert all(f"({clip.frames} frames)" in draft.text for clip, draft in drafts.items())

    run_to_the_end(page, "Embed", 6, model="Lexical vectors")
    assert Embedding.objects.filter(clip__in=clips).count() == 6

    run_to_the_end(page, "Score", 6, model="Lexical vectors")
    scores = QualityScore.objects.order_by("value")
    assert {score.caption for score in scores} == set(drafts.values())

    # Every draft is above LoVR's 0.2, so there is nothing to refine until the project has a
    # threshold of its own. The draft only measures: it writes the same again, and a person is next.
    worst, second = scores[:2]
    between = (worst.value + second.value) / 2
    QualityThreshold.objects.create(
        project=project, scorer=worst.scorer, scorer_name=worst.scorer_name, value=between
    )
    run_to_the_end(page, "Refine", 1)
    attempts = RefineAttempt.objects.order_by("number")
    assert [(a.caption.clip, a.score < between) for a in attempts] == [(worst.clip, True)] * 3
    assert WorkItem.objects.get(kind="hand").clip == worst.clip

    # The worst of the six is still to be written by hand.
    unfinished = "Join captions that still wait for people"
    run_to_the_end(page, "Fuse", 1, model="Plain joiner", tick=unfinished)
    page.goto(f"/p/{SLUG}/videos/{video.pk}/")
    expect(page.locator("#video-parts tbody tr")).to_have_count(6)
    expect(page.locator("#cut-curve a.cut")).to_have_count(5)
    caption = page.locator("#full-caption")
    expect(caption).to_contain_text("Made from 6 captions of its clips")
    expect(caption).to_contain_text(drafts[clips[0]].text[:40])

    open_page(page, "Models", "Runs")
    expect(page.locator("#runs .badge.ok")).to_have_count(6)
    if os.environ.get("UPDATE_README"):
        page.set_viewport_size({"width": 1280, "height": 600})
        page.screenshot(path=README_PICTURE, animations="disabled")
