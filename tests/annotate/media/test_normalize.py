from fractions import Fraction
from random import Random

import av
import numpy as np
import pytest

from annotate.media.filters import Redrawing
from annotate.media.normalize import Playback, normalize
from annotate.media.probe import probe
from tests.annotate.media.films import Film
from tests.annotate.media.render import (
    CORNERS,
    Sound,
    read_back,
    read_corners,
    read_loudness,
    read_number,
    read_numbers,
    render,
    top_boxes,
)

NTSC = Fraction(30000, 1001)
UPRIGHT = list(CORNERS)


@pytest.fixture
def target(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    return folder / "playback.mp4"


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("a.mp4", {"fps": 25}),
        ("a.mp4", {"fps": NTSC, "options": {"bf": "3"}}),
        ("a.mkv", {"fps": NTSC}),
        ("a.mkv", {"fps": 15, "codec": "ffv1", "pix_fmt": "bgr0"}),
        ("a.mov", {"fps": 60, "pix_fmt": "yuv444p"}),
        ("a.webm", {"fps": 24, "codec": "libvpx-vp9"}),
        ("a.avi", {"fps": 25, "codec": "mpeg4", "options": {"bf": "2"}}),
        ("a.ts", {"fps": 50}),
        ("a.mpg", {"fps": NTSC, "codec": "mpeg2video"}),
        ("a.wmv", {"fps": 25, "codec": "wmv2"}),
    ],
)
def test_a_constant_rate_keeps_every_frame_in_order(tmp_path, target, name, settings):
    source = render(tmp_path / name, frames=40, **settings)
    playback = normalize(source, target)
    assert playback == Playback(
        fps=Fraction(settings["fps"]),
        frames=40,
        width=160,
        height=96,
        duration=40 / Fraction(settings["fps"]),
        has_audio=False,
    )
    pictures = read_back(target)
    assert [read_number(picture) for picture in pictures] == list(range(40))
    assert read_corners(pictures[0]) == UPRIGHT


def uneven_times(seed: int, frames: int) -> list[Fraction]:
    """Gaps from 10 ms to 110 ms: about 17 frames per second."""
    random, now, times = Random(seed), Fraction(0), []
    for _ in range(frames):
        times.append(now)
        now += Fraction(random.randint(10, 110), 1000)
    return times


@pytest.mark.parametrize(("name", "seed"), [("a.mp4", 1), ("a.mkv", 2), ("a.mp4", 3)])
def test_a_variable_rate_is_resampled_as_ffmpeg_does(tmp_path, target, name, seed):
    source = render(tmp_path / name, times=uneven_times(seed, 60))
    facts, playback = probe(source), normalize(source, target)
    expected = filtered_by_fps(source, playback.fps)
    numbers = read_numbers(target)
    assert numbers[: len(expected)] == expected[: len(numbers)]
    assert abs(len(numbers) - len(expected)) <= 1
    assert facts.dropped == 60 - len(set(numbers))


def filtered_by_fps(source, fps):
    """The numbers of the frames that FFmpeg's own filter shows."""
    graph = av.filter.Graph()
    numbers = []
    with av.open(str(source)) as container:
        stream = container.streams.video[0]
        buffer, sink = graph.add_buffer(template=stream), graph.add("buffersink")
        rate = graph.add("fps", f"fps={fps}")
        buffer.link_to(rate)
        rate.link_to(sink)
        graph.configure()
        for frame in [*container.decode(stream), None]:
            graph.push(frame)
            while True:
                try:
                    numbers.append(read_number(graph.vpull().to_ndarray(format="rgb24")))
                except (av.error.BlockingIOError, av.error.EOFError):
                    break
    return numbers


def test_a_dropped_frame_is_held(tmp_path, target):
    times = [Fraction(number, 30) for number in range(60) if number not in (20, 21)]
    playback = normalize(render(tmp_path / "a.mp4", times=times), target)
    assert playback.fps == 30
    numbers = read_numbers(target)
    assert numbers[18:25] == [18, 19, 19, 19, 20, 21, 22]


@pytest.mark.parametrize("turned", [(90, False), (180, False), (270, False), (0, True), (90, True)])
def test_a_turned_video_becomes_upright(tmp_path, target, turned):
    source = render(tmp_path / "a.mp4", turned=turned)
    assert (probe(source).rotation, probe(source).mirrored) == turned
    playback = normalize(source, target)
    assert (playback.width, playback.height) == (160, 96)
    pictures = read_back(target)
    assert [read_corners(picture) for picture in pictures] == [UPRIGHT] * 12
    assert [read_number(picture) for picture in pictures] == list(range(12))
    assert probe(target).rotation == 0


def test_odd_sides_become_even(tmp_path, target):
    source = render(tmp_path / "a.mkv", size=(161, 97), codec="ffv1", pix_fmt="bgr0")
    playback = normalize(source, target)
    assert (playback.width, playback.height) == (160, 96)
    assert read_numbers(target) == list(range(12))


@pytest.mark.parametrize(
    ("aspect", "turned", "size"),
    [
        (Fraction(4, 3), (0, False), (214, 96)),
        (Fraction(1, 2), (0, False), (160, 192)),
        (Fraction(2), (90, False), (160, 192)),
    ],
)
def test_pixels_become_square(tmp_path, target, aspect, turned, size):
    playback = normalize(render(tmp_path / "a.mp4", pixel_aspect=aspect, turned=turned), target)
    assert (playback.width, playback.height) == size
    with av.open(str(target)) as container:
        assert container.streams.video[0].sample_aspect_ratio in (None, 1)
    assert read_back(target)[0].shape == (size[1], size[0], 3)
    assert read_numbers(target) == list(range(12))


def test_the_longer_side_is_capped(tmp_path, target):
    playback = normalize(render(tmp_path / "a.mp4", size=(1000, 2400), frames=2), target)
    assert (playback.width, playback.height) == (800, 1920)


@pytest.mark.parametrize(
    ("name", "settings", "sound"),
    [
        ("a.mp4", {}, Sound(0.4, 0.8, 1.2)),
        ("a.mp4", {}, Sound(0.4, 0.8, 1.2, layout="mono", rate=22_050)),
        ("a.mkv", {}, Sound(0.4, 0.8, 0.4, offset=0.4)),
        ("a.mp4", {}, Sound(0.4, 0.8, 3)),
        ("a.webm", {"codec": "libvpx-vp9"}, Sound(0.4, 0.8, 1.2, rate=48_000)),
        ("a.ts", {}, Sound(0.4, 0.8, 0.9)),
    ],
)
def test_sound_stays_beside_the_picture_and_lasts_as_long(tmp_path, target, name, settings, sound):
    source = render(tmp_path / name, frames=30, fps=25, sound=sound, **settings)
    playback = normalize(source, target)
    assert playback.has_audio
    assert read_loudness(target, 0.3) < 0.02
    assert read_loudness(target, 0.44) > 0.2
    assert read_loudness(target, 0.72) > 0.2
    assert read_loudness(target, 0.86) < 0.02
    with av.open(str(target)) as container:
        video, audio = container.streams.video[0], container.streams.audio[0]
        assert audio.codec_context.name == "aac"
        assert (video.start_time, audio.start_time) == (0, 0)
        lengths = [float(stream.duration * stream.time_base) for stream in (video, audio)]
    assert lengths[0] == pytest.approx(30 / 25)
    assert abs(lengths[0] - lengths[1]) < 1 / 25


def test_the_file_is_what_a_browser_steps_through_frame_by_frame(tmp_path, target):
    normalize(render(tmp_path / "a.mkv", frames=100, fps=NTSC, sound=Sound(0, 3, 3)), target)
    boxes = top_boxes(target)
    assert boxes.index("moov") < boxes.index("mdat")
    with av.open(str(target)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.pix_fmt) == ("h264", "yuv420p")
        assert (stream.average_rate, stream.frames) == (NTSC, 100)
        packets = [packet for packet in container.demux(stream) if packet.size]
        assert [packet.pts * stream.time_base for packet in packets] == [
            number / NTSC for number in range(100)
        ]
        assert all(packet.pts == packet.dts for packet in packets)
        keyframes = [number for number, packet in enumerate(packets) if packet.is_keyframe]
    gaps = [after - before for before, after in zip(keyframes, [*keyframes[1:], 100], strict=True)]
    assert keyframes[0] == 0
    assert max(gaps) <= NTSC


def test_nothing_of_the_source_s_metadata_remains(tmp_path, target):
    source = render(
        tmp_path / "a.mov",
        metadata={"title": "Garden party", "location": "+47.3769+008.5417/", "comment": "mine"},
    )
    assert b"+47.3769" in source.read_bytes()
    normalize(source, target)
    data = target.read_bytes()
    assert not any(word in data for word in (b"+47.3769", b"Garden", b"mine", b"Lavf", b"Lavc"))


def test_progress_rises_to_one(tmp_path, target):
    seen: list[float] = []
    normalize(render(tmp_path / "a.mp4", frames=20), target, on_progress=seen.append)
    assert seen == [number / 20 for number in range(1, 21)]


def test_a_cancelled_run_leaves_nothing_and_keeps_what_was_there(tmp_path, target):
    class Cancelled(Exception):
        pass

    def cancel(fraction: float) -> None:
        if fraction > 0.5:
            raise Cancelled

    target.write_bytes(b"the earlier one")
    with pytest.raises(Cancelled):
        normalize(render(tmp_path / "a.mp4", frames=50), target, on_progress=cancel)
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    assert target.read_bytes() == b"the earlier one"


@pytest.mark.parametrize("height", [96, 720])
@pytest.mark.parametrize("matrix", [2, 1, 5, 6, 9])
def test_grays_stay_gray_and_as_bright_whatever_the_source_states(tmp_path, target, height, matrix):
    film = Film(size=(160, height), frames=3, gray=True, matrix=matrix, options={"crf": "1"})
    source = film.render(tmp_path / "a.mkv")
    normalize(source, target)
    for before, after in zip(read_planes(source), read_planes(target), strict=True):
        assert {*after[1].flat, *after[2].flat} == {128}
        assert abs(before[0].astype(int).mean() - after[0].mean()) < 0.25


@pytest.mark.parametrize("pix_fmt", ["yuvj420p", "yuv422p", "yuv420p10le"])
def test_grays_stay_gray_from_other_formats(tmp_path, target, pix_fmt):
    full = 2 if pix_fmt == "yuvj420p" else 0
    film = Film(size=(160, 96), frames=3, gray=True, pix_fmt=pix_fmt, color_range=full)
    normalize(film.render(tmp_path / "a.mkv"), target)
    for _, blue, red in read_planes(target):
        assert {*blue.flat, *red.flat} == {128}


@pytest.mark.parametrize(
    ("height", "stated", "tags"),
    [
        (96, 2, (6, 6, 6)),
        (720, 2, (1, 1, 1)),
        (96, 1, (1, 1, 1)),
        (720, 5, (5, 5, 6)),
        (720, 9, (9, 9, 14)),
    ],
)
def test_colors_are_stated_as_browsers_read_them(tmp_path, target, height, stated, tags):
    """Matrix, primaries and transfer: Chromium guesses all of them where one is missing."""
    normalize(Film(size=(160, height), frames=2, matrix=stated).render(tmp_path / "a.mkv"), target)
    with av.open(str(target)) as container:
        frame = next(container.decode(video=0))
    assert (frame.colorspace, frame.color_primaries, frame.color_trc) == tags


def test_a_picture_is_drawn_whatever_colors_its_file_claims():
    for name, values in (
        ("colorspace", range(18)),
        ("color_primaries", range(23)),
        ("color_trc", {*range(19)} - {16, 18}),  # HDR is changed
    ):
        for value in values:
            frame = av.VideoFrame(160, 96, "yuv420p10le")
            setattr(frame, name, value)
            drawing = Redrawing((192, 108), (90, False), Fraction(1), interlaced=True)
            [(number, drawn)] = drawing.draw_all([frame])
            assert (number, drawn.format.name) == (0, "yuv420p")
            assert (drawn.width, drawn.height) == (192, 108)


def read_planes(path):
    """Brightness and both planes of color of each frame."""
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            yield [
                np.frombuffer(plane, np.uint8).reshape(plane.height, -1)[:, : plane.width]
                for plane in frame.planes
            ]
