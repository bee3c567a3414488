import io
from fractions import Fraction
from itertools import pairwise

import av
import cv2
import numpy as np
import pytest
from PIL import Image

from annotate.media.drawing import convert_to_bgr, shrink
from annotate.media.pictures import JPEG_QUALITY, Pictures, make_posters, read_frames
from annotate.media.shots import ContentValues, find_shots
from tests.annotate.media.films import Film
from tests.annotate.media.render import CORNERS, read_corners, read_number, render


@pytest.fixture
def playback(tmp_path):
    return render(tmp_path / "a.mp4", frames=240, fps=Fraction(30000, 1001), options={"g": "29"})


def draw_pictures(playback, folder):
    """Write poster.jpg and strip.jpg."""
    with av.open(str(playback)) as container:
        stream = container.streams.video[0]
        pictures = Pictures(stream.frames, Fraction(stream.average_rate))
        for frame in container.decode(stream):
            pictures.add(frame)
    return pictures.save(folder / "poster.jpg", folder / "strip.jpg")


def test_the_poster_is_the_frame_at_a_third(playback, tmp_path):
    draw_pictures(playback, tmp_path)
    with Image.open(tmp_path / "poster.jpg") as poster:
        assert (poster.format, poster.size) == ("JPEG", (640, 384))
        assert read_number(np.asarray(poster)) == 80
        assert read_corners(np.asarray(poster)) == list(CORNERS)


def test_each_part_has_the_frame_at_its_third(playback, tmp_path):
    targets = {part: tmp_path / f"{part[0]}.jpg" for part in [(0, 30), (30, 31), (90, 240)]}
    make_posters(playback, targets)
    numbers = [read_number(np.asarray(Image.open(path))) for path in targets.values()]
    assert numbers == [10, 30, 140]


def read_tiles(path, strip) -> list[int]:
    with Image.open(path) as sheet:
        assert sheet.size == (strip.columns * strip.tile_width, strip.rows * strip.tile_height)
        picture = np.asarray(sheet)
    tiles = []
    for tile in range(len(strip.frames)):
        row, column = divmod(tile, strip.columns)
        top, left = row * strip.tile_height, column * strip.tile_width
        tiles.append(
            read_number(picture[top : top + strip.tile_height, left : left + strip.tile_width])
        )
    return tiles


@pytest.mark.parametrize(
    ("frames", "fps", "tiles", "grid"),
    [(240, 30, 8, (8, 1)), (250, 10, 25, (10, 3)), (250, 1, 60, (10, 6)), (3, 25, 3, (3, 1))],
)
def test_each_tile_of_the_filmstrip_shows_the_frame_it_names(tmp_path, frames, fps, tiles, grid):
    playback = render(tmp_path / "a.mp4", frames=frames, fps=fps, options={"g": str(fps)})
    strip = draw_pictures(playback, tmp_path)
    assert len(strip.frames) == tiles
    assert (strip.columns, strip.rows) == grid
    assert (strip.tile_width, strip.tile_height) == (160, 96)
    assert read_tiles(tmp_path / "strip.jpg", strip) == strip.frames
    assert sorted(set(strip.frames)) == strip.frames
    assert strip.frames[0] >= 0
    assert strip.frames[-1] < frames


def test_frames_are_found_by_seeking_or_by_reading_on(playback):
    numbers = [0, 1, 28, 29, 30, 100, 101, 200, 239]
    numbers_read = [
        read_number(f.to_ndarray(format="rgb24")) for f in read_frames(playback, numbers)
    ]
    assert numbers_read == numbers


def test_every_frame_is_found_by_seeking_among_reordered_ones(tmp_path):
    path = render(tmp_path / "b.mp4", frames=90, fps=5, options={"g": "8", "bf": "3"})
    numbers = range(6, 90)
    frames = [next(read_frames(path, [number])) for number in numbers]
    assert [read_number(f.to_ndarray(format="rgb24")) for f in frames] == list(numbers)


def test_the_first_frame_of_each_shot_is_found(tmp_path):
    path = tmp_path / "shots.mp4"
    colors = [(200, 40, 40), (10, 30, 60), (235, 240, 200)]
    with av.open(str(path), "w") as output:
        stream = output.add_stream("libx264", rate=Fraction(30000, 1001), options={"bf": "0"})
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"
        for number in range(90):
            picture = np.full((96, 160, 3), colors[(number >= 31) + (number >= 62)], np.uint8)
            output.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        output.mux(stream.encode())
    assert find_shots(path) == [0, 31, 62]


def test_one_shot_begins_at_zero(playback):
    assert find_shots(playback) == [0]


def test_pictures_of_dark_grays_are_gray(tmp_path):
    path = Film(size=(1280, 720), frames=8, gray=True, peak=40).render(tmp_path / "gray.mp4")
    make_posters(path, {(0, 3): tmp_path / "poster.jpg"})
    with Image.open(tmp_path / "poster.jpg") as poster:
        red, green, blue = np.moveaxis(np.asarray(poster), 2, 0).astype(int)
    assert max(abs(red - green).max(), abs(blue - green).max()) <= 1


def as_jpeg(picture):
    """A picture in BGR as the filmstrip stores it, in RGB."""
    stored = io.BytesIO()
    Image.fromarray(picture[..., ::-1]).save(stored, "JPEG", quality=JPEG_QUALITY)
    return np.asarray(Image.open(stored)).astype(int)


def test_a_frame_is_shrunk_to_what_its_converted_picture_shrinks_to():
    """Beside what storing it as JPEG changes, which has half the colors too."""
    blobs = np.random.default_rng(0).integers(0, 256, (9, 16, 3), dtype=np.uint8)
    picture = cv2.resize(blobs, (640, 360), interpolation=cv2.INTER_CUBIC)
    frame = av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(format="yuv420p")
    whole = cv2.resize(convert_to_bgr(frame), (160, 90), interpolation=cv2.INTER_AREA)
    difference = abs(as_jpeg(shrink(frame, 160, 90)) - as_jpeg(whole)).mean()
    assert difference < abs(as_jpeg(whole) - whole[..., ::-1]).mean() / 2


def test_grays_are_shrunk_to_grays(tmp_path):
    path = Film(size=(1280, 720), frames=8, gray=True, peak=40).render(tmp_path / "gray.mp4")
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            blue, green, red = np.moveaxis(shrink(frame, 160, 90), 2, 0)
            assert (blue == green).all()
            assert (green == red).all()


def test_dark_grays_differ_in_brightness_alone_where_shots_are_looked_for(tmp_path):
    """Scaled and converted in one step, dark grays came out as magenta."""
    path = Film(size=(1280, 720), frames=12, gray=True, peak=40).render(tmp_path / "gray.mp4")
    brightness = []
    with av.open(str(path)) as container, ContentValues(256) as contents:
        for frame in container.decode(video=0):
            contents.add(frame)
            brightness.append(frame.to_ndarray(format="bgr24")[2::5, 2::5, 2].astype(int))
        values = contents.finish()
    differences = [abs(after - before).mean() / 3 for before, after in pairwise(brightness)]
    assert values == pytest.approx([0, *differences])


@pytest.mark.parametrize("width", [64, 128, 200])
@pytest.mark.parametrize("frames", [1, 8, 19])
def test_frames_are_compared_alike_alone_and_stacked(tmp_path, width, frames):
    path = Film(size=(320, 180), frames=frames, noise=9).render(tmp_path / "color.mp4")
    with av.open(str(path)) as container:
        decoded = list(container.decode(video=0))

    def compare(pictures):
        with ContentValues(width) as contents:
            for frame in pictures:
                contents.add(frame)
            return contents.finish()

    alone = [compare(pair)[1] for pair in pairwise(decoded)]
    assert compare(decoded) == [0, *alone]
