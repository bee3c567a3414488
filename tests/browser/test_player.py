"""The player shows the frame that it says, stays inside its clip, and lets people type."""

import pytest
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.template import engines
from django.urls import include, path
from playwright.sync_api import Page, expect

from annotate.models import Clip
from tests.browser.looks import schemes
from tests.browser.work_pages import open_work, visit
from tests.cast import make_clip
from tests.media import FRAMES, WIDTH
from tests.merge_work import SHORT_A, SHORT_B, open_merge
from tests.work import hold, make_work

PAGE = """
{% extends "base.html" %}{% load static %}
{% block title %}Player{% endblock %}
{% block main %}
  <h1>Player</h1>
  {% include "annotate/corpus/player.html" %}
  <label for="text">Text</label><textarea id="text"></textarea>
{% endblock %}
{% block scripts %}
  <script type="module" src="{% static 'js/player/player.js' %}"></script>
{% endblock %}
"""

# The picture itself is asked, not the player: where is the left edge of the white bar?
FRAME_ON_SCREEN = """
([frames, width]) => {
  const video = document.querySelector("video");
  const canvas = Object.assign(document.createElement("canvas"), { width, height: 1 });
  const context = canvas.getContext("2d");
  context.drawImage(video, 0, 90, width, 1, 0, 0, width, 1);
  const pixels = context.getImageData(0, 0, width, 1).data;
  let left = 0;
  while (left < width && pixels[left * 4] < 140) left += 1;
  return Math.round((left * (frames - 1)) / (width - 16));
}
"""


def player_page(request, clip_id):
    clip = get_object_or_404(Clip, pk=clip_id)
    context = {"clip": clip, "project": clip.project}
    return HttpResponse(engines["django"].from_string(PAGE).render(context, request))


urlpatterns = [path("player/<int:clip_id>/", player_page), path("", include("config.urls"))]
pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def open_player(page_of, anna):
    """A function: the page of one clip, with its first picture on the screen."""

    def open_page(clip: Clip, **options) -> Page:
        page = page_of(anna, **options)
        page.goto(f"/player/{clip.pk}/")
        page.wait_for_function("() => document.querySelector('video').readyState >= 2")
        expect_frame(page, clip.start_frame, of=clip)
        return page

    return open_page


@pytest.fixture
def whole(project, make_playable_clip):
    return make_playable_clip(project, shots=[0, 20])


@pytest.fixture
def part(project, whole):
    return make_clip(project, video=whole.video, start_frame=10, end_frame=30)


def expect_frame(page: Page, frame: int, *, of: Clip) -> None:
    """The readout and the picture both reach `frame`."""
    expect(page.locator("[data-show=frame]")).to_have_text(f"f{frame - of.start_frame}")
    page.wait_for_function(
        f"([arguments, frame]) => ({FRAME_ON_SCREEN})(arguments) === frame",
        arg=[[FRAMES, WIDTH], frame],
    )


def go_to(page: Page, position: str) -> None:
    page.get_by_label("Go to").fill(position)
    page.get_by_label("Go to").press("Enter")


PLAYER = """
(await import(document.querySelector("script[src*='js/player/player.']").src)).mountPlayers()[0]
"""


def check_that_a_seek_is_not_watching(page: Page, whole: Clip) -> None:
    go_to(page, "f40")
    expect_frame(page, 40, of=whole)
    page.get_by_role("button", name="One frame forward").click()
    expect_frame(page, 41, of=whole)
    page.wait_for_function("() => !document.querySelector('video').seeking")
    assert page.evaluate(f"async () => ({PLAYER}).watched") == [[41, 42]]


def check_that_a_picture_from_before_a_seek_takes_no_step_back(page: Page) -> None:
    """Chromium can report the picture before a seek once the seek has ended."""
    assert (
        page.evaluate(
            f"""async () => {{
          const player = {PLAYER};
          player.shown({{ mediaTime: 40 / player.fps }});
          return player.frame;
        }}"""
        )
        == 41
    )


def check_that_it_steps_by_exactly_one_frame(page: Page, whole: Clip) -> None:
    go_to(page, "f0")
    live = page.locator("[data-show=live]")
    expect(live).to_have_attribute("role", "status")
    for frame in (1, 2, 3):
        page.get_by_role("button", name="One frame forward").click()
        expect_frame(page, frame, of=whole)
    # A screen reader hears where the steps ended.
    expect(live).to_have_text("Frame 3, 0:00.12")
    page.get_by_role("button", name="One frame back").click()
    expect_frame(page, 2, of=whole)


def check_that_it_goes_to_a_time_or_a_frame(page: Page, whole: Clip) -> None:
    for position, frame in [("f0", 0), ("f31", 31), ("1.2", 30), ("f50", 49), ("0:01.20", 30)]:
        go_to(page, position)
        expect_frame(page, frame, of=whole)
    go_to(page, "soon")
    expect(page.get_by_label("Go to")).to_have_js_property(
        "validationMessage", "Write a time such as 3.2 or 0:03.2, or a frame such as f96."
    )
    expect_frame(page, 30, of=whole)


def check_that_the_next_keys_are_for_the_player(page: Page, whole: Clip) -> None:
    page.locator("h1").click()
    page.keyboard.press("g")
    page.get_by_label("Go to").fill("f7")
    page.keyboard.press("Enter")
    expect_frame(page, 7, of=whole)
    page.keyboard.press("Period")
    expect_frame(page, 8, of=whole)
    expect(page.get_by_label("Go to")).to_have_value("")
    for frame in range(9, 24):
        page.keyboard.press("Period")
        expect_frame(page, frame, of=whole)


def check_that_the_timeline_is_a_slider(page: Page, whole: Clip) -> None:
    slider = page.get_by_role("slider", name="Position")
    slider.press("End")
    expect_frame(page, 49, of=whole)
    slider.press("ArrowLeft")
    expect_frame(page, 48, of=whole)
    expect(slider).to_have_attribute("aria-valuetext", "0:01.92, frame 48")
    box = slider.bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 1, box["y"] + 8, steps=5)
    page.mouse.up()
    expect_frame(page, 25, of=whole)


def check_that_going_somewhere_never_starts_a_loop(page: Page, whole: Clip) -> None:
    page.evaluate(
        """() => {
          window.begun = 0;
          document.querySelector("video").addEventListener("play", () => (begun += 1));
        }"""
    )
    go_to(page, "f20")
    expect_frame(page, 20, of=whole)
    page.get_by_role("button", name="Loop from here").click()
    for position, frame in [("f49", 49), ("1.9", 47), ("2.0", 49)]:
        go_to(page, position)
        expect_frame(page, frame, of=whole)
        page.wait_for_timeout(400)
        expect_frame(page, frame, of=whole)
        assert page.evaluate("begun") == 0


def check_that_a_loop_repeats_until_it_is_cleared(page: Page, whole: Clip) -> None:
    go_to(page, "f20")
    page.get_by_role("button", name="Loop from here").click()
    go_to(page, "f29")
    page.get_by_role("button", name="Loop to here").click()
    page.evaluate(
        """() => {
          window.rounds = 0;
          let last = 0;
          document.addEventListener("player:frame", ({ detail: { frame } }) => {
            if (frame < last) rounds += 1;
            last = frame;
          });
        }"""
    )
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => rounds >= 2")
    page.get_by_role("button", name="Clear the loop").click()
    page.wait_for_function("() => document.querySelector('video').paused")
    expect_frame(page, 49, of=whole)


def test_it_shows_each_frame_that_it_is_asked_for(open_player, whole):
    page = open_player(whole)
    check_that_a_seek_is_not_watching(page, whole)
    check_that_a_picture_from_before_a_seek_takes_no_step_back(page)
    check_that_it_steps_by_exactly_one_frame(page, whole)
    check_that_it_goes_to_a_time_or_a_frame(page, whole)
    check_that_the_next_keys_are_for_the_player(page, whole)
    check_that_the_timeline_is_a_slider(page, whole)
    check_that_going_somewhere_never_starts_a_loop(page, whole)
    check_that_a_loop_repeats_until_it_is_cleared(page, whole)


def check_that_single_keys_type_in_a_text(page: Page, whole: Clip) -> None:
    page.get_by_label("Text").press_sequentially("a, b. x")
    expect(page.get_by_label("Text")).to_have_value("a, b. x")
    expect_frame(page, 0, of=whole)
    page.get_by_label("Text").blur()
    page.keyboard.press("Period")
    expect_frame(page, 1, of=whole)
    page.keyboard.press("Comma")
    expect_frame(page, 0, of=whole)


def check_that_every_command_works_while_one_types(page: Page, whole: Clip) -> None:
    text = page.get_by_label("Text")
    text.fill("A diver, mid-air")
    video = page.locator("video")
    page.keyboard.press("Alt+Period")
    expect_frame(page, 1, of=whole)
    page.keyboard.press("Alt+KeyL")
    expect_frame(page, 26, of=whole)
    page.keyboard.press("Alt+KeyJ")
    expect_frame(page, 1, of=whole)
    page.keyboard.press("Alt+BracketLeft")
    expect(video).to_have_js_property("playbackRate", 0.75)
    page.keyboard.press("Alt+KeyM")
    page.keyboard.press("Alt+KeyG")
    page.keyboard.type("f7")
    page.keyboard.press("Enter")
    expect_frame(page, 7, of=whole)
    expect(text).to_be_focused()
    page.keyboard.press("Alt+KeyK")
    expect(video).to_have_js_property("paused", False)
    page.keyboard.press("Alt+KeyK")
    expect(video).to_have_js_property("paused", True)
    expect(text).to_have_value("A diver, mid-air")


def test_keys_are_for_the_player_or_for_the_text(open_player, whole, axe):
    page = open_player(whole)
    for _ in schemes(page):
        axe(page)
    check_that_single_keys_type_in_a_text(page, whole)
    check_that_every_command_works_while_one_types(page, whole)
    page.get_by_role("button", name="Keys").click()
    for _ in schemes(page):
        axe(page)
    page.get_by_label("Single keys work anywhere on the page").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    expect_frame(page, 0, of=whole)
    page.keyboard.press("Period")
    page.get_by_role("button", name="One frame forward").focus()
    page.keyboard.press("Period")
    expect_frame(page, 1, of=whole)


def check_that_watched_frames_are_reported(page: Page) -> None:
    page.evaluate("document.addEventListener('player:watched', ({detail}) => window.told = detail)")
    # Slowly: where a busy machine skips half a second of the video, that isn't watching.
    page.get_by_label("Speed").select_option("0.25")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => window.told?.frames === 20")
    assert page.evaluate("told") == {"intervals": [[10, 30]], "frames": 20, "of": 20}


def check_that_a_part_of_a_video_is_never_left(page: Page, part: Clip) -> None:
    expect(page.locator("video")).to_have_js_property("paused", True)
    page.get_by_label("Speed").select_option("1")
    go_to(page, "f0")
    expect_frame(page, 10, of=part)
    page.evaluate(
        """() => {
          const video = document.querySelector("video");
          window.seen = [];
          const note = (now, picture) => {
            seen.push(Math.round(picture.mediaTime * 25));
            video.requestVideoFrameCallback(note);
          };
          video.requestVideoFrameCallback(note);
        }"""
    )
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => seen.includes(29)")
    expect_frame(page, 29, of=part)
    expect(page.locator("video")).to_have_js_property("paused", True)
    seen = page.evaluate("seen")
    assert min(seen) >= 10
    assert max(seen) == 29
    go_to(page, "0.8")
    expect_frame(page, 29, of=part)


def check_that_it_says_where_the_end_is(page: Page, part: Clip, axe) -> None:
    go_to(page, "f0")
    field = page.get_by_label("Go to")
    message = page.locator(".player-said")
    for position in ("100", "f21"):
        go_to(page, position)
        expect(message).to_have_text("The clip ends at 0.80 s, frame 19.")
        expect(field).to_be_focused()
        expect(field).to_have_value(position)
        expect_frame(page, 10, of=part)
        if position == "100":
            axe(page)
        field.fill("f5")
        expect(message).to_have_text("")
    field.press("Enter")
    expect_frame(page, 15, of=part)


def test_a_part_of_a_video_ends_where_it_ends(open_player, part, axe):
    page = open_player(part)
    check_that_watched_frames_are_reported(page)
    check_that_a_part_of_a_video_is_never_left(page, part)
    check_that_it_says_where_the_end_is(page, part, axe)


def test_a_missing_file_is_said_in_place(page_of, anna, project, console_errors):
    console_errors.expect("404")
    clip = make_clip(project)
    page = page_of(anna)
    page.goto(f"/player/{clip.pk}/")
    expect(page.get_by_role("alert")).to_contain_text("The video could not be loaded")


def test_the_controls_stay_in_their_column_beside_a_merge(page_of, whole, emil, anna, ben):
    type(whole.video).objects.update(has_audio=True)
    merge = open_merge(whole, (anna, SHORT_A), (ben, SHORT_B))
    page = open_work(page_of, emil, hold(emil, merge))
    column = page.locator(".work-media").bounding_box()
    edges = page.locator(".player-controls :is(button, input, select)").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.left, box.right])"
    )
    assert len(edges) == 12
    assert column["x"] <= min(left for left, _ in edges)
    assert max(right for _, right in edges) <= column["x"] + column["width"]


def test_speed_and_opening_are_kept_for_the_next_clip(page_of, project, anna, make_playable_clip):
    held = [hold(anna, make_work(make_playable_clip(project), needed=1)) for _ in range(2)]
    page = open_work(page_of, anna, held[0])
    page.keyboard.press("Escape")  # out of the first field
    page.keyboard.press("BracketLeft")
    page.keyboard.press("z")
    expect(page.locator(".player-speed")).to_have_value("0.25")
    page.keyboard.press("?")
    page.get_by_label("A clip to work on opens").select_option("middle")
    visit(page, held[1])
    expect(page.locator(".player-speed")).to_have_value("0.75")  # slow motion ends with its clip
    expect(page.locator("[data-show=frame]")).to_have_text(f"f{FRAMES // 2}")
    expect(page.locator("[data-show=frames]")).to_have_text(f"/ {FRAMES}")


def test_the_picture_is_zoomed_moved_and_played_backwards(open_player, whole, screenshot):
    page = open_player(whole)
    place = "document.querySelector('video').style.transform"
    page.keyboard.press("Shift+ArrowLeft")
    assert page.evaluate(place) == ""
    page.keyboard.press("=")
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate(place) == "translate(-10%, 0%) scale(1.5)"
    page.keyboard.press("-")
    assert page.evaluate(place) == ""
    page.keyboard.press("q")
    page.wait_for_function("() => document.querySelector('[data-show=frame]').textContent < 'f45'")
    page.keyboard.press("q")
    timeline = page.locator(".player-timeline")
    timeline.hover()
    expect(page.locator(".player-preview")).to_contain_text(f"f{FRAMES // 2}")
    screenshot(page, "player-preview")
