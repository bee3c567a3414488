"""Frame hashes: a re-encoded copy is near, another film is not, and flat frames say nothing."""

import av
import cv2
import numpy as np
import pytest

from annotate.corpus.services.near_duplicates import MAX_DISTANCE
from annotate.media.frame_hashes import FrameHashes, hash_picture, hashed_frames
from annotate.media.hash_distances import FLAT, HASHES, hash_distances, read_hashes
from tests.annotate.media.films import Film
from tests.annotate.media.render import render


def encode_again(source, target, *, size, crf):
    """A copy of another size and bit rate."""
    width, height = size
    with av.open(str(source)) as original, av.open(str(target), "w") as copy:
        rate = original.streams.video[0].average_rate
        stream = copy.add_stream("libx264", rate=rate, options={"crf": str(crf)})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for frame in original.decode(video=0):
            copy.mux(stream.encode(frame.reformat(width=width, height=height)))
        copy.mux(stream.encode())
    return target


def hashes_of(film, frames):
    hashes = FrameHashes(frames)
    with av.open(str(film)) as container:
        for frame in container.decode(video=0):
            hashes.add(frame)
    return hashes.finish()


def distance(first: str, second: str) -> float:
    return float(hash_distances(read_hashes([first])[0], read_hashes([second]))[0])


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    return Film(size=(320, 180)).render(tmp_path_factory.mktemp("hashes") / "film.mp4")


@pytest.mark.parametrize(("size", "crf"), [((160, 90), 28), ((640, 360), 40), ((96, 54), 35)])
def test_a_copy_of_another_size_and_bit_rate_is_near(film, tmp_path, size, crf):
    copy = encode_again(film, tmp_path / "copy.mp4", size=size, crf=crf)
    assert distance(hashes_of(film, 41), hashes_of(copy, 41)) <= MAX_DISTANCE


def test_another_film_is_not_near(film, tmp_path):
    other = render(tmp_path / "other.mp4", frames=41)
    assert distance(hashes_of(film, 41), hashes_of(other, 41)) > 2 * MAX_DISTANCE


def test_a_video_of_one_frame_repeats_its_hash(tmp_path):
    video = render(tmp_path / "one.mp4", frames=1)
    hashes = hashes_of(video, 1)
    assert hashes == hashes[:16] * HASHES


def test_frames_are_in_the_middle_of_eight_equal_parts():
    assert hashed_frames(160) == [10, 30, 50, 70, 90, 110, 130, 150]


def test_a_flat_picture_shows_nothing():
    assert hash_picture(np.full((32, 32), 17, np.float32)) == FLAT


def test_a_bit_says_whether_a_frequency_is_above_the_median():
    low = np.zeros((32, 32), np.float32)
    low[0, 0] = 4000
    low[1, 1], low[1, 2] = 900, 500  # the first two bits
    assert hash_picture(cv2.idct(low)) >> 62 == 0b11


def test_distances_count_bits_of_frames_that_show_something():
    detailed, flat = "00000000ffffffff", "0" * 16
    other = "00000000fffffff0"  # 4 bits differ
    assert distance(detailed * 8, other * 8) == 4
    assert distance(detailed * 8, other * 4 + flat * 4) == 4
    assert distance(detailed * 8, other * 3 + flat * 5) == np.inf
    assert hash_distances(read_hashes([detailed * 8])[0], read_hashes([])).size == 0
