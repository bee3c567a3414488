"""Seeking in a real browser, over byte ranges."""

import pytest
from django.urls import reverse

from tests.media import FPS, FRAMES, WIDTH

READ_BAR = """video => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  const context = canvas.getContext("2d");
  context.drawImage(video, 0, 0);
  const row = context.getImageData(0, canvas.height / 2, canvas.width, 1).data;
  for (let x = 0; x < canvas.width; x += 1) if (row[4 * x] > 160) return x;
  return -1;
}"""
SEEK = """(video, seconds) => new Promise((resolve) => {
  video.requestVideoFrameCallback(() => resolve(video.currentTime));
  video.currentTime = seconds;
})"""


def test_a_seek_shows_the_frame_that_was_asked_for(page_of, anna, project, make_playable_clip):
    clip = make_playable_clip(project)
    page = page_of(anna)
    replies = []
    page.on("response", lambda r: replies.append(r.status) if "playback.mp4" in r.url else None)
    page.goto(reverse("annotate:clip", args=[project.slug, clip.pk]))
    video = page.locator("video")
    page.wait_for_function("() => document.querySelector('video').readyState >= 2")
    for frame in (40, 5, 49):
        seconds = (frame + 0.5) / FPS
        assert video.evaluate(SEEK, seconds) == pytest.approx(seconds, abs=0.001)
        bar = frame * (WIDTH - 16) / (FRAMES - 1)
        assert video.evaluate(READ_BAR) == pytest.approx(bar, abs=3), frame
    assert set(replies) == {206}
