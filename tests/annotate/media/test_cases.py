"""Files as people have them, each of which once failed (tests/cases/README.md)."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from annotate.media.cuts import find_cuts
from annotate.media.detectors import open_detector
from annotate.media.ingest import Ingested, Targets, ingest
from annotate.media.probe import Limits
from tests.annotate.media.render import Sound, read_back, read_loudness, read_numbers, render

CASES = Path(__file__).parents[2] / "cases"
BITS = 12


@pytest.fixture
def targets(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    return Targets(folder / "playback.mp4", folder / "poster.jpg", folder / "filmstrip.jpg")


def numbers_of(playback: Path) -> list[int]:
    """The number that each frame of a case has in the columns at its top."""
    numbers = []
    for picture in read_back(playback):
        row = picture[: picture.shape[0] // 3].mean(axis=(0, 2))
        lit = [column.mean() > 128 for column in np.split(row, BITS)]
        numbers.append(sum(int(bit) << place for place, bit in enumerate(reversed(lit))))
    return numbers


@pytest.mark.parametrize(
    ("name", "frames", "fps"),
    [
        ("w02_h264_bf.avi", 90, 25),
        ("x07_h264_bpyr.avi", 90, 25),
        ("v06_mkv_start60.mkv", 90, 30),
        ("v23_mkv_says_300s.mkv", 90, 30),
        ("w14b_preview_first.mov", 90, 30),
    ],
)
def test_every_frame_is_shown_once_at_a_constant_rate(targets, name, frames, fps):
    made = ingest(CASES / name, targets, Limits())
    assert (made.probe.frames, made.playback.frames, made.playback.fps) == (frames, frames, fps)
    assert made.conversions == {}
    assert numbers_of(targets.playback) == list(range(frames))
    assert (made.playback.width, made.playback.height) == (192, 108)


def test_a_stream_begins_at_its_first_whole_picture(targets):
    made = ingest(CASES / "v29_ts_not_at_sync.ts", targets, Limits())
    assert numbers_of(targets.playback) == list(range(30, 90))
    assert made.playback.fps == 30


def test_an_avi_whose_length_is_wrong_plays(targets):
    made = ingest(CASES / "v30_avi_riff_plus2.avi", targets, Limits())
    assert made.probe.frames == 88
    numbers = numbers_of(targets.playback)
    assert (len(set(numbers)), numbers) == (88, sorted(numbers))


def test_dropped_frames_of_a_phone_are_held_and_no_other_is_lost(targets):
    made = ingest(CASES / "w18_iphone_vfr.mov", targets, Limits())
    numbers = numbers_of(targets.playback)
    assert (made.playback.fps, made.playback.frames, made.probe.dropped) == (30, 92, 0)
    assert sorted(set(numbers)) == list(range(90))
    assert numbers == sorted(numbers)


def test_a_rate_that_falls_is_resampled_and_counts_what_is_not_shown(targets):
    made = ingest(CASES / "v01_phone_vfr.mp4", targets, Limits())
    assert (made.probe.frames, made.probe.dropped) == (90, 8)
    assert made.conversions == {
        "resampled": "The frame rate varies: resampled to 22.9 frames/s, 8 of 90 source frames "
        "are not shown."
    }
    assert len(set(numbers_of(targets.playback))) == 82
    assert abs(made.playback.duration - made.probe.duration) < Fraction(1, 20)


def test_a_cut_of_a_variable_source_stands_where_the_playback_file_shows_it(targets):
    source = CASES / "v01_phone_vfr.mp4"
    ingest(source, targets, Limits())
    cuts, on_playback = (
        find_cuts(path, detector=open_detector("content", 27.0), min_scene_frames=5)
        for path in (source, targets.playback)
    )
    assert len(cuts.values) == len(on_playback.values)
    assert cuts.firsts == on_playback.firsts
    assert len(cuts.firsts) > 1


def test_a_clock_that_starts_again_goes_on(targets):
    made = ingest(CASES / "w04_joined.ts", targets, Limits())
    assert (made.playback.frames, made.playback.duration) == (120, 4)
    assert numbers_of(targets.playback) == [*range(60), *range(100, 160)]
    assert {*made.conversions} == {"restarted"}


@pytest.mark.parametrize("name", ["a.mkv", "a.ts"])
def test_two_recordings_in_one_file_keep_their_pictures_and_their_sound(tmp_path, targets, name):
    first = render(tmp_path / f"1{name}", frames=40, sound=Sound(0.4, 0.8, 1.6))
    second = render(tmp_path / f"2{name}", frames=40, first=40, sound=Sound(0.4, 0.8, 1.6))
    joined = tmp_path / name
    joined.write_bytes(first.read_bytes() + second.read_bytes())
    made = ingest(joined, targets, Limits())
    assert (made.playback.frames, made.probe.restarts) == (80, 1)
    assert read_numbers(targets.playback) == list(range(80))
    levels = [
        read_loudness(targets.playback, second) > 0.2 for second in (0.2, 0.6, 1.2, 1.8, 2.2, 2.8)
    ]
    assert levels == [False, True, False, False, True, False]


def check_hdr(made: Ingested, targets: Targets, is_right) -> None:
    """Poster, strip and the frames that players and models get are alike."""
    assert is_right(read_back(targets.playback)[-1][54, 96])
    for path in (targets.poster, targets.filmstrip):
        with Image.open(path) as picture:
            assert is_right(np.asarray(picture)[picture.height // 4, picture.width // 4])
    with av.open(str(targets.playback)) as container:
        frame = next(container.decode(video=0))
    assert (frame.colorspace, frame.color_primaries, frame.color_trc) == (1, 1, 1)


def test_hdr_is_made_for_common_screens(targets):
    made = ingest(CASES / "x01_pq_gray.mp4", targets, Limits())
    check_hdr(made, targets, lambda p: min(p) >= 240 and int(max(p)) - int(min(p)) <= 10)
    assert made.probe.hdr == "PQ"
    made = ingest(CASES / "x02_hlg_red.mov", targets, Limits())
    check_hdr(made, targets, lambda p: p[0] >= 150 and max(p[1:]) <= 50)
    assert made.conversions == {"tone_mapped": "HDR (HLG) was tone-mapped to BT.709."}


def test_a_picture_that_turns_to_portrait_gets_bars(targets):
    made = ingest(CASES / "v25b_turns_portrait.mp4", targets, Limits())
    assert (made.playback.width, made.playback.height, made.playback.frames) == (192, 108, 60)
    assert {*made.conversions} == {"letterboxed"}
    before, *_, after = read_back(targets.playback)
    assert before[80, 20].mean() > 100
    # 108 x 192 inside 192 x 108 is 60 wide.
    assert (after[:, :64].max(), after[:, 128:].max()) < (30, 30)
    assert after[70:100, 68:90].mean() > 100


def test_a_recording_that_grows_is_as_large_as_most_of_it(tmp_path, targets):
    """As in a call over a bad network: the first second is small."""
    small = render(tmp_path / "1.ts", size=(80, 48), frames=10)
    large = render(tmp_path / "2.ts", frames=30, first=10)
    joined = tmp_path / "a.ts"
    joined.write_bytes(small.read_bytes() + large.read_bytes())
    made = ingest(joined, targets, Limits())
    assert (made.playback.width, made.playback.height, made.probe.resized) == (160, 96, 10)
    assert read_numbers(targets.playback) == list(range(40))


def test_fields_become_whole_pictures(tmp_path, targets):
    """A white bar moves by 8 columns from field to field: in one frame it has combs."""
    path = tmp_path / "a.ts"
    with av.open(str(path), "w") as output:
        options = {"flags": "+ildct+ilme", "x264-params": "tff=1:interlaced=1"}
        stream = output.add_stream("libx264", rate=25, options=options)
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"
        for number in range(12):
            picture = np.full((96, 160, 3), 30, np.uint8)
            for parity in (0, 1):
                left = 16 * number % 128 + 8 * parity
                picture[parity::2, left : left + 8] = 220
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts = number
            output.mux(stream.encode(frame))
        output.mux(stream.encode())
    made = ingest(path, targets, Limits())
    assert (made.probe.interlaced, made.playback.frames) == (12, 12)
    assert {*made.conversions} == {"deinterlaced"}

    def comb(picture):
        rows = picture[:, :, 1].astype(int)
        return np.abs(rows[1:-1] * 2 - rows[:-2] - rows[2:]).mean()

    assert comb(read_back(targets.playback)[5]) < comb(read_back(path)[5]) / 4
