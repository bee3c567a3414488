"""The page of a video: its cuts and its player show each other."""

import pytest

from annotate.models import Caption
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
def walk(lovr, tmp_path, rendered_media):
    """A video of four scenes, segmented by a real run."""
    video = keep_scenes(
        lovr, tmp_path, cuts=CUTS, frames=FRAMES, original_name="walk.mp4",
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


def frame_shown(page) -> str:
    page.wait_for_function("() => !document.querySelector('video').seeking")
    return page.locator("[data-show=frame]").inner_text()


def wait_for_current(page, name: str) -> None:
    page.locator("#video-parts tr[aria-current] th", has_text=name).wait_for()


def test_a_time_of_the_list_is_shown(walk, rita, open_video):
    page = open_video(rita, walk)
    page.get_by_role("link", name="0:02.4").click()
    assert frame_shown(page) == "f60"
    assert page.url.endswith(f"/videos/{walk.pk}/")


def test_the_list_works_by_keyboard(walk, rita, open_video):
    page = open_video(rita, walk)
    page.get_by_role("link", name="0:04.0").press("Enter")
    assert frame_shown(page) == "f100"
    wait_for_current(page, "walk-Scene-004")


def test_a_cut_on_the_curve_is_shown_and_marked_in_the_list(walk, rita, open_video):
    page = open_video(rita, walk)
    page.locator("a.cut[data-frame='60'] .cut-head").click()
    assert frame_shown(page) == "f60"
    wait_for_current(page, "walk-Scene-003")


def test_any_place_on_the_curve_is_shown(walk, rita, open_video):
    page = open_video(rita, walk)
    box = page.locator("[data-curve]").bounding_box()
    scale = box["width"] / 640
    page.mouse.click(box["x"] + (36 + 596 * 45.5 / FRAMES) * scale, box["y"] + 120 * scale)
    assert frame_shown(page) == "f45"


def test_the_curve_shows_where_the_player_is(walk, rita, open_video):
    page = open_video(rita, walk)
    page.get_by_label("Go to a time or frame").fill("f65")
    page.get_by_label("Go to a time or frame").press("Enter")
    assert frame_shown(page) == "f65"
    page.locator(".playhead[transform='translate(298 0)']").wait_for(state="attached")


def test_without_script_a_time_opens_the_video_there(walk, rita, page_of):
    page = page_of(rita, java_script_enabled=False)
    page.goto(f"/p/{walk.project.slug}/videos/{walk.pk}/")
    link = page.get_by_role("link", name="0:02.4")
    assert link.get_attribute("href").endswith("/playback.mp4#t=2.400")
    assert page.locator("path.bar").bounding_box()["height"] > 50


def test_a_run_from_the_button_leads_to_its_kind(walk, ada, open_video):
    page = open_video(ada, walk)
    page.get_by_role("link", name="Segment", exact=True).click()
    assert page.url.endswith("/runs/new/?kind=segment")


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


def test_a_long_video_reads_well(talk, ada, open_video, axe, screenshot):
    page = open_video(ada, talk)
    axe(page)
    screenshot(page, "video-long", full_page=True)
    page.locator("summary", has_text="Made from").click()
    axe(page)


def test_a_short_video_reads_well(walk, rita, open_video, axe, screenshot):
    page = open_video(rita, walk)
    axe(page)
    screenshot(page, "video-short", full_page=True)


def test_one_that_is_left_out_reads_well(lovr, ada, rendered_media, open_video, axe, screenshot):
    video = make_video(lovr, original_name="ten seconds.mp4", filmstrip=PLAYABLE["filmstrip"])
    attach_media(video, rendered_media)
    segment(video, [], excluded_because="10 s long; at least 15 min are asked for")
    page = open_video(ada, video)
    axe(page)
    screenshot(page, "video-left-out", full_page=True)


def test_nothing_is_wider_than_a_phone(talk, ada, open_video):
    page = open_video(ada, talk, width=390, height=844)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_video_in_the_storage_without_a_curve_still_plays(lovr, rita, rendered_media, open_video):
    video = make_video(lovr, **PLAYABLE)
    attach_media(video, rendered_media)
    page = open_video(rita, video)
    page.get_by_label("One frame forward").click()
    assert frame_shown(page) == "f1"
