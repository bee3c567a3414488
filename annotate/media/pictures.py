"""Still pictures of a playback file: posters of it and its clips, and a filmstrip."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path

import av
import cv2
from av import VideoFrame
from cv2.typing import MatLike
from PIL import Image

from annotate.media.decoding import exact
from annotate.media.drawing import PLANAR, convert_to_bgr, shrink
from annotate.media.files import fresh_file

POSTER_WIDTH = 640
TILE_WIDTH = 160
MIN_TILES, MAX_TILES, COLUMNS = 8, 60, 10
JPEG_QUALITY = 82


@dataclass(frozen=True)
class Filmstrip:
    """A picture of `columns` x `rows` tiles, row by row; tile i shows frame `frames[i]`."""

    columns: int
    rows: int
    tile_width: int
    tile_height: int
    frames: list[int]


class Pictures:
    """Draws the poster and the filmstrip of a playback file, given its frames in order.

    The poster is the frame at a third of the length; the filmstrip has about one tile per second.
    """

    def __init__(self, frames: int, fps: Fraction) -> None:
        tiles = min(frames, MAX_TILES, max(MIN_TILES, round(frames / fps)))
        self._tiles = [(2 * tile + 1) * frames // (2 * tiles) for tile in range(tiles)]
        self._third = poster_frame(0, frames)
        self._number = 0
        self._poster: Image.Image | None = None
        self._drawn: list[Image.Image] = []

    def add(self, frame: VideoFrame) -> None:
        """Take the next frame."""
        if self._number == self._third:
            self._poster = _scaled(frame, POSTER_WIDTH)
        # The tiles' frames are in order, so this is the next one to draw.
        if self._tiles[len(self._drawn) :][:1] == [self._number]:
            self._drawn.append(_scaled(frame, TILE_WIDTH))
        self._number += 1

    def save(self, poster: Path, filmstrip: Path) -> Filmstrip:
        """Write both as JPEGs, after all frames were added."""
        assert self._poster is not None
        _save(self._poster, poster)
        columns = min(len(self._tiles), COLUMNS)
        rows = ceil(len(self._tiles) / columns)
        width, height = self._drawn[0].size
        sheet = Image.new("RGB", (columns * width, rows * height))
        for number, tile in enumerate(self._drawn):
            row, column = divmod(number, columns)
            sheet.paste(tile, (column * width, row * height))
        _save(sheet, filmstrip)
        return Filmstrip(columns, rows, width, height, self._tiles)


def poster_frame(start: int, end: int) -> int:
    """Return the frame that represents a half-open range."""
    return start + (end - start) // 3


def make_posters(playback: Path, targets: Mapping[tuple[int, int], Path]) -> None:
    """Write a JPEG, POSTER_WIDTH wide, for each half-open range of frames; they are in order."""
    thirds = [poster_frame(start, end) for start, end in targets]
    for frame, target in zip(read_frames(playback, thirds), targets.values(), strict=True):
        _save(_scaled(frame, POSTER_WIDTH), target)


def read_frames(playback: Path, numbers: Sequence[int]) -> Iterator[VideoFrame]:
    """Yield these frames of a playback file, in rising order; seek if that is faster."""
    with av.open(str(playback)) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        rate = exact(stream.average_rate)
        ticks = 1 / (rate * exact(stream.time_base))
        decoded, at = container.decode(stream), -1
        for number in numbers:
            if number - at > rate:
                container.seek(round(number * ticks), stream=stream)
                decoded = container.decode(stream)
            frame = next(frame for frame in decoded if (frame.pts or 0) >= round(number * ticks))
            at = number
            yield frame


def _scaled(frame: VideoFrame, width: int) -> Image.Image:
    # Not scaled by swscale, which turns dark grays into magenta.
    height = max(1, round(width * frame.height / frame.width))
    is_even = width % 2 == height % 2 == 0
    if frame.format.name in PLANAR and is_even and 2 * width <= frame.width:
        return _to_image(shrink(frame, width, height))
    size = (width, height)
    return _to_image(cv2.resize(convert_to_bgr(frame), size, interpolation=cv2.INTER_AREA))


def _to_image(picture: MatLike) -> Image.Image:
    return Image.fromarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))


def _save(picture: Image.Image, target: Path) -> None:
    with fresh_file(target) as temporary:
        # Optimizing would take three times as long for files a fifteenth smaller.
        picture.save(temporary, "JPEG", quality=JPEG_QUALITY)
