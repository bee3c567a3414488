"""The frames that are decoded carry their number, so that the right ones are seen to come."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from inference.frames import ClipUnreadableError, read_clip
from inference.sampling import Sampling
from tests.annotate.media.render import draw, read_number, render, render_sound_only

FPS = Fraction(25)
EVERY = Sampling("every", step=1)
CRISP = {"preset": "ultrafast", "crf": "18"}


@pytest.fixture(scope="module")
def playback(tmp_path_factory):
    """200 numbered frames, a keyframe every 10, no B-frames."""
    path = tmp_path_factory.mktemp("frames") / "playback.mp4"
    return render(path, frames=200, options={**CRISP, "g": "10", "bf": "0"})


@pytest.fixture(scope="module")
def one_keyframe(tmp_path_factory):
    """120 numbered frames with B-frames and only the first a keyframe."""
    path = tmp_path_factory.mktemp("frames") / "one_keyframe.mp4"
    return render(path, frames=120, options={"preset": "veryfast", "crf": "18", "g": "1000"})


def frame_numbers(clip):
    return [read_number(frame) for frame in clip.frames]


def test_it_gives_every_frame_of_the_file(playback):
    clip = read_clip(playback, 0, 200, FPS, EVERY)
    assert frame_numbers(clip) == list(range(200))
    assert clip.numbers == tuple(range(200))
    assert (clip.length, clip.fps, clip.seconds) == (200, 25.0, 8.0)
    assert clip.frames.dtype == np.uint8
    assert clip.frames.shape == (200, 96, 160, 3)


@pytest.mark.parametrize("start", [1, 9, 10, 11, 57, 120, 195])
def test_numbers_count_from_the_clips_first_frame(playback, start):
    clip = read_clip(playback, start, start + 5, FPS, EVERY)
    assert clip.numbers == (0, 1, 2, 3, 4)
    assert frame_numbers(clip) == list(range(start, start + 5))


@pytest.mark.parametrize("number", range(0, 200, 7))
def test_a_clip_may_be_one_frame(playback, number):
    clip = read_clip(playback, number, number + 1, FPS, Sampling("seconds", low=3, high=9))
    assert clip.numbers == (0, 0, 0)
    assert frame_numbers(clip) == [number] * 3


def test_it_reads_the_last_frame_of_the_file(playback):
    assert frame_numbers(read_clip(playback, 199, 200, FPS, EVERY)) == [199]


def test_frames_far_apart_are_found_by_seeking(playback):
    clip = read_clip(playback, 3, 200, FPS, Sampling("every", step=65))
    assert frame_numbers(clip) == [3, 68, 133, 198]


def test_a_clip_shorter_than_the_sampling_repeats_its_last_frame(playback):
    clip = read_clip(playback, 50, 53, FPS, Sampling("middle", count=5))
    assert clip.numbers == (0, 1, 2, 2, 2)
    assert frame_numbers(clip) == [50, 51, 52, 52, 52]


@pytest.mark.parametrize("start", range(0, 120, 13))
def test_it_needs_no_keyframe_near_and_bears_b_frames(one_keyframe, start):
    clip = read_clip(one_keyframe, start, 120, FPS, Sampling("every", step=53))
    assert frame_numbers(clip) == list(range(start, 120, 53))


@pytest.mark.parametrize("number", range(30))
def test_b_frames_before_a_keyframe_are_found(tmp_path_factory, number):
    path = tmp_path_factory.getbasetemp() / "b_frames.mp4"
    if not path.exists():
        options = {"preset": "medium", "crf": "18", "g": "6", "bf": "4", "sc_threshold": "0"}
        render(path, frames=30, options={**options, "b_strategy": "0"})
    assert frame_numbers(read_clip(path, number, number + 1, FPS, EVERY)) == [number]


def test_a_frame_rate_that_is_no_whole_number(tmp_path):
    fps = Fraction(30000, 1001)
    path = render(tmp_path / "ntsc.mp4", frames=120, fps=fps, options={**CRISP, "g": "30"})
    clip = read_clip(path, 31, 120, fps, Sampling("middle", count=6))
    assert frame_numbers(clip) == [31 + number for number in clip.numbers]
    assert clip.fps == pytest.approx(29.97, abs=0.001)


def test_colors_are_red_green_and_blue_in_this_order(playback):
    frame = read_clip(playback, 5, 6, FPS, EVERY).frames[0]
    assert np.abs(frame[5, 5].astype(int) - draw(5)[5, 5]).max() < 12


def test_large_pictures_are_scaled_down(playback):
    clip = read_clip(playback, 20, 23, FPS, EVERY, longest_side=80)
    assert clip.frames.shape == (3, 48, 80, 3)
    assert frame_numbers(clip) == [20, 21, 22]


def test_small_pictures_are_never_scaled_up(playback):
    clip = read_clip(playback, 0, 1, FPS, EVERY, longest_side=1000)
    assert clip.frames.shape == (1, 96, 160, 3)


def test_only_sampled_frames_are_held_in_memory(playback):
    read_clip(playback, 0, 1, FPS, EVERY)
    picture = 160 * 96 * 3
    tracemalloc.start()
    clip = read_clip(playback, 0, 200, FPS, Sampling("middle", count=4))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(clip.frames) == 4
    assert peak < 8 * picture


def test_an_empty_range_is_no_clip(playback):
    with pytest.raises(ValueError, match=r"Frames \[7, 7\) are not a clip: they are empty\."):
        read_clip(playback, 7, 7, FPS, EVERY)


@pytest.mark.parametrize(("start", "end"), [(190, 220), (400, 401)])
def test_a_file_that_ends_too_soon_is_refused(playback, start, end):
    missing = max(start, 200)
    with pytest.raises(ClipUnreadableError, match=f"ends before frame {missing}. Restore it"):
        read_clip(playback, start, end, FPS, EVERY)


def test_a_missing_frame_is_refused(tmp_path):
    times = [Fraction(n, 25) for n in range(20) if n != 12]
    path = render(tmp_path / "gap.mp4", times=times, options=CRISP)
    with pytest.raises(ClipUnreadableError, match=r"has no frame 12\. Restore it from a backup"):
        read_clip(path, 5, 20, FPS, EVERY)


def test_another_frame_rate_is_refused(playback):
    with pytest.raises(ClipUnreadableError, match="does not have 24 frames a second"):
        read_clip(playback, 0, 20, Fraction(24), EVERY)


def test_a_missing_file_says_what_to_do(tmp_path):
    with pytest.raises(ClipUnreadableError, match=r"missing from the media folder\. Restore it"):
        read_clip(tmp_path / "gone.mp4", 0, 1, FPS, EVERY)


def test_a_file_that_is_no_video_says_what_to_do(tmp_path):
    path = tmp_path / "playback.mp4"
    path.write_bytes(b"no video at all" * 100)
    with pytest.raises(ClipUnreadableError, match=r"can't be decoded: Invalid data .*\. Restore"):
        read_clip(path, 0, 1, FPS, EVERY)


def test_a_file_of_sound_alone_says_what_to_do(tmp_path):
    path = render_sound_only(tmp_path / "playback.mp4")
    with pytest.raises(
        ClipUnreadableError, match=r"holds no picture .*\. Restore it from a backup"
    ):
        read_clip(path, 0, 1, FPS, EVERY)


def test_a_cut_off_file_says_what_to_do(playback, tmp_path):
    path = tmp_path / "playback.mp4"
    path.write_bytes(playback.read_bytes()[:4000])
    with pytest.raises(ClipUnreadableError, match="Restore it from a backup"):
        read_clip(path, 0, 1, FPS, EVERY)
