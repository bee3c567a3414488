"""The page of a video: its cuts and its player show each other."""

import pytest
from playwright.sync_api import expect

from annotate.models import Caption
from tests.browser.looks import scrolls_sideways, widths
from tests.cast import make_video
from tests.inference.cast import run_through, start_run
from tests.inference.scenes import keep_scenes
from tests.inference.segmented import make_talk, segment
from tests.media import PLAYABLE, attach_media

CUTS, FRAMES = (30, 60, 100), 130
SHORT = {"min_video_seconds": 0, "min_scene_seconds": 0.4, "min_clips": 3}


@pytest.fixture
def lovr(project):
    project.protocol = "lovr"
    project.save()
    return project


@pytest.fixture
def walk(lovr, rendered_media):
    """A video of four scenes, segmented by a real run."""
    video = keep_scenes(
        lovr, cuts=CUTS, frames=FRAMES, original_name="walk.mp4",
        filmstrip=PLAYABLE["filmstrip"],
    )  # fmt: skip
    attach_media(video, rendered_media)
    run_through(start_run(project=lovr, kind="segment", options=SHORT))
    return video


@pytest.fixture
def open_video(page_of):
    def open_page(person, video, **options):
        page = page_of(person, **options)
        page.goto(f"/p/{video.project.slug}/videos/{video.pk}/")
        page.wait_for_function("() => document.querySelector('video').readyState >= 2")
        page.wait_for_function("() => !document.querySelector('video').seeking")
        return page

    return open_page


def expect_frame(page, number: int) -> None:
    expect(page.locator("[data-show=frame]")).to_have_text(f"f{number}")


def expect_current(page, name: str) -> None:
    expect(page.locator("#video-parts tr[aria-current] th")).to_contain_text(name)


def test_the_list_the_curve_and_the_player_show_each_other(walk, rita, open_video, axe, screenshot):
    page = open_video(rita, walk)
    axe(page)
    screenshot(page, "video-short", full_page=True)
    assert page.locator("path.bar").bounding_box()["height"] > 50
    check_list(page, walk)
    check_curve(page)
    check_another_curve(page)


def check_list(page, video):
    """A time of the list is shown by pointer and by keyboard."""
    page.get_by_role("link", name="0:02.4").click()
    expect_frame(page, 60)
    assert page.url.endswith(f"/videos/{video.pk}/")
    page.get_by_role("link", name="0:04.0").press("Enter")
    expect_frame(page, 100)
    expect_current(page, "walk-Scene-004")


def check_curve(page):
    """Its cuts and any other place on it are shown, and it shows where the player is."""
    page.locator("a.cut[data-frame='60'] .cut-head").click()
    expect_frame(page, 60)
    expect_current(page, "walk-Scene-003")
    box = page.locator("[data-curve]").bounding_box()
    scale = box["width"] / 640
    page.mouse.click(box["x"] + (36 + 596 * 45.5 / FRAMES) * scale, box["y"] + 120 * scale)
    expect_frame(page, 45)
    page.get_by_label("Go to a time or frame").fill("f65")
    page.get_by_label("Go to a time or frame").press("Enter")
    expect_frame(page, 65)
    page.locator(".playhead[transform='translate(298 0)']").wait_for(state="attached")


def check_another_curve(page):
    """A tab swaps the curve; the player stays where it is, and both still show each other."""
    tabs = page.get_by_role("navigation", name="Difference between frames")
    tabs.get_by_role("link", name="Mean pixels").click()
    expect(tabs.locator("[aria-current]:focus")).to_have_text("Mean pixels")
    assert page.url.endswith("?difference=means#cut-curve")
    expect_frame(page, 65)
    page.locator(".playhead[transform='translate(298 0)']").wait_for(state="attached")
    page.locator("a.cut[data-frame='60'] .cut-head").click()
    expect_frame(page, 60)


@pytest.fixture
def talk(lovr, rendered_media):
    """40 minutes with 80 clips: rows alone, the file behind them is shorter."""
    video, cuts = make_talk(lovr, filmstrip=PLAYABLE["filmstrip"])
    attach_media(video, rendered_media)
    segment(video, cuts, threshold=40, excluded_because="3 clips; at least 40 are asked for")
    segment(video, cuts)
    parents = [
        Caption.objects.create(
            project=lovr, clip=clip, kind="general", source="machine", word_count=13,
            text="People cross a wide street at a light; a tram waits behind them.",
        )
        for clip in video.clips.exclude(start_frame=0, end_frame=video.frames)
    ]  # fmt: skip
    full = Caption.objects.create(
        project=lovr,
        clip=video.clips.get(start_frame=0, end_frame=video.frames),
        kind="full_video",
        source="machine",
        text="People cross a wide street at a light; a tram waits behind them.\n\n" * 20,
        word_count=260,
    )
    full.parents.add(*parents)
    return video


def test_a_long_video_reads_well_and_leads_to_its_next_run(talk, ada, open_video, axe, screenshot):
    page = open_video(ada, talk)
    screenshot(page, "video-long", full_page=True)
    assert [width for width in widths(page) if scrolls_sideways(page)] == []
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator("summary", has_text="Made from").click()
    axe(page)
    page.get_by_role("link", name="Segment", exact=True).click()
    assert page.url.endswith("/runs/new/?kind=segment")


def test_a_video_that_is_left_out_or_has_no_curve_reads_well_and_plays(
    lovr, ada, rendered_media, open_video, axe, screenshot
):
    video = make_video(lovr, **PLAYABLE | {"original_name": "ten seconds.mp4"})
    attach_media(video, rendered_media)
    page = open_video(ada, video)
    page.get_by_label("One frame forward").click()
    expect_frame(page, 1)
    segment(video, [], excluded_because="10 s long; at least 15 min are asked for")
    page.reload()
    axe(page)
    screenshot(page, "video-left-out", full_page=True)
