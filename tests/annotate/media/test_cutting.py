"""Parts of a playback file as files of their own: exactly their frames, with their sound."""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest
from av import AudioFrame, VideoFrame

from annotate.media.cutting import cut_frames
from annotate.media.errors import MediaError
from annotate.media.probe import probe
from tests.annotate.media.render import read_slices
from tests.numbered_film import (
    FPS_DEN,
    FPS_NUM,
    FRAMES,
    decode_numbers,
    draw_number,
    render_numbered,
)

FPS = Fraction(FPS_NUM, FPS_DEN)


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """One keyframe and B-frames, so that no frame but the first can begin a copy."""
    return render_numbered(tmp_path_factory.mktemp("film") / "film.mp4")


@pytest.fixture(scope="module")
def short_groups(tmp_path_factory):
    """The same with a keyframe every 24 frames."""
    return render_numbered(tmp_path_factory.mktemp("film") / "film.mp4", group=24)


@pytest.mark.parametrize(
    ("start", "end"), [(0, 1), (0, 40), (1, 2), (37, 61), (FRAMES - 1, FRAMES), (0, FRAMES)]
)
def test_a_part_has_exactly_its_frames(film, tmp_path, start, end):
    part = tmp_path / "part.mp4"
    cut_frames(film, part, start, end, FPS)
    assert decode_numbers(part) == list(range(start, end))


@pytest.mark.parametrize(
    ("start", "end", "is_copied"),
    [
        (24, 72, True),
        (72, FRAMES, True),
        (0, 1, True),
        (24, 50, None),  # whether the last frames need others is the encoder's choice
        (24, 51, None),
        (23, 48, False),
        (25, 48, False),
    ],
)
def test_a_part_that_begins_with_a_keyframe_keeps_its_packets(
    short_groups, tmp_path, start, end, is_copied
):
    part = tmp_path / "part.mp4"
    cut_frames(short_groups, part, start, end, FPS)
    assert decode_numbers(part) == list(range(start, end))
    if is_copied is not None:
        own, whole = read_slices(part), read_slices(short_groups)
        assert (own == whole[start:end]) == is_copied


def test_parts_that_follow_each_other_have_each_frame_once(film, tmp_path):
    numbers = []
    for place, (start, end) in enumerate([(0, 13), (13, 14), (14, 77), (77, FRAMES)]):
        part = tmp_path / f"{place}.mp4"
        cut_frames(film, part, start, end, FPS)
        numbers += decode_numbers(part)
    assert numbers == list(range(FRAMES))


def test_a_part_is_a_playback_file(film, tmp_path):
    part = tmp_path / "part.mp4"
    cut_frames(film, part, 30, 54, FPS)
    probed = probe(part)
    assert (probed.frames, probed.playback_fps, probed.variable_frame_rate) == (24, FPS, False)
    with av.open(str(part)) as container:
        times = [frame.pts * frame.time_base for frame in container.decode(video=0)]
    assert times == [number / FPS for number in range(24)]


@pytest.mark.parametrize("group", [40, 20])
def test_a_part_has_the_sound_of_its_time(tmp_path, group):
    """Whether its picture is encoded again or copied."""
    whole, part = tmp_path / "whole.mp4", tmp_path / "part.mp4"
    _render_with_tone(whole, tone=(2, 3), seconds=4, group=group)
    cut_frames(whole, part, 20, 40, Fraction(10))
    with av.open(str(part)) as container:
        frames = list(container.decode(audio=0))
    loud = np.concatenate([np.abs(frame.to_ndarray()).max(axis=0) for frame in frames]) > 0.1
    rate = frames[0].sample_rate
    assert loud[: rate // 2].mean() > 0.8, "the tone begins with the part"
    assert loud[int(1.2 * rate) :].mean() < 0.05, "and ends in the middle"
    assert decode_numbers(part) == list(range(20, 40))


def test_the_frames_are_counted_as_they_are_done(film, tmp_path):
    done: list[int] = []
    cut_frames(film, tmp_path / "part.mp4", 10, 15, FPS, on_frame=done.append)
    assert done == [1, 2, 3, 4, 5]


def test_work_that_is_ended_leaves_no_file(film, tmp_path):
    def stop(number):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        cut_frames(film, tmp_path / "part.mp4", 10, 15, FPS, on_frame=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_too_short_is_refused(film, tmp_path):
    with pytest.raises(MediaError, match=f"has 6 of the frames 90 to {FRAMES + 9}"):
        cut_frames(film, tmp_path / "part.mp4", 90, FRAMES + 10, FPS)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(MediaError, match="missing from the media folder"):
        cut_frames(tmp_path / "gone.mp4", tmp_path / "part.mp4", 0, 5, FPS)


def test_an_empty_range_is_an_error(film, tmp_path):
    with pytest.raises(ValueError, match="are not a clip"):
        cut_frames(film, tmp_path / "part.mp4", 5, 5, FPS)


def _render_with_tone(path, *, tone, seconds, group, fps=10, rate=48_000):
    """Numbered frames, and a tone from `tone[0]` to `tone[1]` seconds."""
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=fps)
        picture = draw_number(0)
        video.height, video.width, _ = picture.shape
        video.pix_fmt = "yuv420p"
        video.options = {"g": str(group), "crf": "16"}
        audio = container.add_stream("aac", rate=rate, layout="mono")
        for number in range(seconds * fps):
            frame = VideoFrame.from_ndarray(draw_number(number), format="rgb24")
            container.mux(video.encode(frame))
        container.mux(video.encode())
        times = np.arange(seconds * rate) / rate
        wave = np.sin(2 * np.pi * 440 * times) * ((times >= tone[0]) & (times < tone[1]))
        for first in range(0, len(wave), 1024):
            block = wave[None, first : first + 1024].astype(np.float32)
            sound = AudioFrame.from_ndarray(np.ascontiguousarray(block), "fltp", "mono")
            sound.sample_rate, sound.pts = rate, first
            container.mux(audio.encode(sound))
        container.mux(audio.encode())
