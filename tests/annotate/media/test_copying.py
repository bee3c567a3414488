"""What a browser already steps through is copied; everything else is encoded, as before."""

from fractions import Fraction

import av
import numpy as np
import pytest

from annotate.media.cuts import find_cuts
from annotate.media.detectors import open_detector
from annotate.media.errors import MediaError
from annotate.media.ingest import Targets, ingest
from annotate.media.probe import Limits, probe
from tests.annotate.media.films import FILMS
from tests.annotate.media.render import (
    Sound,
    read_back,
    read_loudness,
    read_numbers,
    read_slices,
    render,
    top_boxes,
)

NTSC = Fraction(30_000, 1001)
B_FRAMES = {"g": "20", "bf": "3"}


@pytest.fixture
def targets(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    return Targets(folder / "playback.mp4", folder / "poster.jpg", folder / "filmstrip.jpg")


def is_copied(source, playback):
    return read_slices(source) == read_slices(playback)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("a.mp4", {"options": B_FRAMES}),
        ("a.mp4", {"options": B_FRAMES, "fps": NTSC, "sound": Sound(0.4, 0.8, 2)}),
        ("a.mkv", {"options": B_FRAMES, "fps": NTSC}),
        ("a.flv", {"options": B_FRAMES}),
        ("a.mov", {"options": {"g": "10", "bf": "0"}, "fps": 60}),
        ("a.mp4", {"options": B_FRAMES, "pix_fmt": "yuvj420p"}),
        ("a.mp4", {"options": {"g": "250", "sc_threshold": "0"}, "frames": 30, "fps": 5}),
    ],
)
def test_a_source_that_browsers_play_is_copied(tmp_path, targets, name, settings):
    settings = {"frames": 40, "fps": 25, **settings}
    source = render(tmp_path / name, **settings)
    made = ingest(source, targets, Limits())
    frames, fps = settings["frames"], Fraction(settings["fps"])
    assert is_copied(source, targets.playback)
    assert (made.playback.frames, made.playback.fps) == (frames, fps)
    assert (made.playback.width, made.playback.height) == (160, 96)
    assert made.playback.has_audio == ("sound" in settings)
    assert np.array_equal(read_back(source), read_back(targets.playback))
    assert read_numbers(targets.playback) == list(range(frames))

    boxes = top_boxes(targets.playback)
    assert boxes.index("moov") < boxes.index("mdat")
    with av.open(str(targets.playback)) as container:
        stream = container.streams.video[0]
        assert (stream.average_rate, stream.frames, stream.start_time) == (fps, frames, 0)
        times = [frame.pts * stream.time_base for frame in container.decode(stream)]
    assert times == [number / fps for number in range(frames)]
    assert probe(source) == made.probe
    assert {targets.poster.stat().st_size > 0, targets.filmstrip.stat().st_size > 0} == {True}


def test_sound_is_laid_along_copied_pictures(tmp_path, targets):
    source = render(tmp_path / "a.mp4", frames=30, options=B_FRAMES, sound=Sound(0.4, 0.8, 3))
    ingest(source, targets, Limits())
    assert is_copied(source, targets.playback)
    levels = [read_loudness(targets.playback, second) for second in (0.3, 0.44, 0.72, 0.86)]
    assert [level > 0.2 for level in levels] == [False, True, True, False]
    with av.open(str(targets.playback)) as container:
        lengths = [float(stream.duration * stream.time_base) for stream in container.streams]
    assert abs(lengths[0] - lengths[1]) < 1 / 25


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("a.ts", {}),
        ("a.avi", {"options": {"g": "20", "bf": "0"}}),
        ("a.mp4", {"codec": "mpeg4"}),
        ("a.mp4", {"pix_fmt": "yuv444p"}),
        ("a.mp4", {"pix_fmt": "yuv420p10le"}),
        ("a.mp4", {"pixel_aspect": Fraction(4, 3)}),
        ("a.mp4", {"turned": (180, False)}),
        ("a.mp4", {"size": (1000, 2400), "frames": 2}),
        ("a.mp4", {"options": {"g": "250", "sc_threshold": "0"}, "frames": 31, "fps": 5}),
        ("a.mp4", {"options": {"g": "10", "bf": "3", "x264-params": "open-gop=1:scenecut=0"}}),
        ("a.mp4", {"options": {"g": "10", "x264-params": "intra-refresh=1"}}),
        ("a.mp4", {"options": {"g": "20", "x264-params": "tff=1:interlaced=1"}}),
    ],
    ids=[
        "another container", "no times", "another codec", "4:4:4", "10 bits", "stretched pixels",
        "turned", "too large", "rare keyframes", "open groups", "no keyframes", "interlaced",
    ],
)  # fmt: skip
def test_any_other_source_is_encoded_with_all_its_frames(tmp_path, targets, name, settings):
    settings = {"frames": 40, "options": B_FRAMES if name == "a.mp4" else {}, **settings}
    if settings.get("codec"):
        settings["options"] = {}
    source = render(tmp_path / name, **settings)
    made = ingest(source, targets, Limits())
    assert made.playback.frames == settings["frames"]
    assert read_numbers(targets.playback) == list(range(settings["frames"]))
    with av.open(str(targets.playback)) as container:
        packets = [packet for packet in container.demux(video=0) if packet.size]
    assert all(packet.pts == packet.dts for packet in packets)


def test_a_source_without_a_constant_rate_is_encoded(tmp_path, targets):
    times = [Fraction(number, 30) for number in range(60) if number not in (20, 21)]
    made = ingest(render(tmp_path / "a.mp4", times=times), targets, Limits())
    assert (made.probe.variable_frame_rate, made.playback.frames) == (True, 60)


def test_frames_that_an_edit_list_cuts_off_stay_cut_off(tmp_path, targets):
    """Its packets begin 5 frames before what is shown: copied, they would all be shown."""
    whole, cut = render(tmp_path / "whole.mp4", frames=40, options=B_FRAMES), tmp_path / "cut.mp4"
    with av.open(str(whole)) as container, av.open(str(cut), "w") as output:
        video = container.streams.video[0]
        stream = output.add_stream_from_template(video)
        for packet in container.demux(video):
            if packet.size:
                packet.pts -= int(5 / 25 / video.time_base)
                packet.dts -= int(5 / 25 / video.time_base)
                packet.stream = stream
                output.mux(packet)
    assert read_numbers(cut) == list(range(5, 40))
    assert ingest(cut, targets, Limits()).playback.frames == 35
    assert read_numbers(targets.playback) == list(range(5, 40))


def test_a_damaged_picture_is_refused_and_nothing_is_left(tmp_path, targets):
    source = render(tmp_path / "a.mp4", frames=40, options={**B_FRAMES, "bf": "0"}, size=(320, 192))
    data = bytearray(source.read_bytes())
    with av.open(str(source)) as container:
        packet = [packet for packet in container.demux(video=0) if packet.size][25]
    # Behind the length and the header, so that the packet still reads as a whole one.
    start = packet.pos + 12
    data[start : packet.pos + packet.size] = bytes(packet.size - 12)
    source.write_bytes(data)
    with pytest.raises(MediaError) as error:
        ingest(source, targets, Limits())
    assert error.value.code == "damaged"
    assert list(targets.playback.parent.iterdir()) == []


def test_the_cuts_of_a_copy_are_those_of_its_source(tmp_path, targets):
    source = FILMS["color fades"].render(tmp_path / "a.mkv")
    ingest(source, targets, Limits())
    copied, original = (
        find_cuts(path, detector=open_detector("content", 10.0), min_scene_frames=2, downscale=2)
        for path in (targets.playback, source)
    )
    assert copied.firsts == original.firsts
    assert np.array_equal(copied.values, original.values)


def test_nothing_of_the_source_s_metadata_is_copied(tmp_path, targets):
    source = render(
        tmp_path / "a.mov", options=B_FRAMES, metadata={"title": "Garden party", "comment": "mine"}
    )
    assert b"x264" in source.read_bytes()
    ingest(source, targets, Limits())
    assert is_copied(source, targets.playback)
    data = targets.playback.read_bytes()
    assert not any(word in data for word in (b"Garden", b"mine", b"Lavf", b"Lavc", b"x264"))


@pytest.mark.parametrize(("height", "stated"), [(96, 6), (720, 2)])
def test_small_pictures_whose_colors_are_unstated_are_stated_as_bt_601(
    tmp_path, targets, height, stated
):
    """Chromium takes them for that; Firefox would take them for BT.709."""
    source = render(tmp_path / "a.mp4", options=B_FRAMES, size=(160, height), frames=3)
    ingest(source, targets, Limits())
    assert is_copied(source, targets.playback)
    with av.open(str(targets.playback)) as container:
        frame = next(container.decode(video=0))
    assert (frame.colorspace, frame.color_primaries, frame.color_trc) == (stated,) * 3


def test_progress_rises_and_can_end_the_work(tmp_path, targets):
    class Cancelled(Exception):
        pass

    seen = []

    def cancel(step, done):
        seen.append((step, done))
        if done > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        ingest(
            render(tmp_path / "a.mp4", frames=60, options=B_FRAMES), targets, Limits(),
            on_step=cancel,
        )  # fmt: skip
    assert {step for step, _ in seen} == {"Reading"}
    assert list(targets.playback.parent.iterdir()) == []


@pytest.mark.parametrize("limits", [Limits(max_frames=39), Limits(max_gigapixels=0)])
@pytest.mark.parametrize("name", ["a.mp4", "a.avi"])
def test_too_many_frames_are_refused_before_any_is_decoded(
    tmp_path, targets, monkeypatch, limits, name
):
    source = render(tmp_path / name, frames=40, options={"g": "20", "bf": "0"})
    monkeypatch.setattr("annotate.media.ingest.probe", None)
    with pytest.raises(MediaError) as error:
        ingest(source, targets, limits)
    assert error.value.code == "too_many_frames"


def test_too_many_frames_in_few_packets_are_refused_while_decoding(tmp_path):
    source = render(tmp_path / "a.mp4", frames=40)
    with pytest.raises(MediaError) as error:
        probe(source, Limits(max_frames=39))
    assert error.value.code == "too_many_frames"
