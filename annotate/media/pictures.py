"""Still pictures of a playback file: posters of it and of its parts, and a filmstrip."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import av
from av import VideoFrame
from PIL import Image

from annotate.media.decoding import exact
from annotate.media.files import fresh_file

POSTER_WIDTH = 640
TILE_WIDTH = 160
MIN_TILES, MAX_TILES, COLUMNS = 8, 60, 10
JPEG_QUALITY = 82


@dataclass(frozen=True)
class Filmstrip:
    """One picture of `columns` x `rows` tiles, row by row; `frames[i]` is what tile i shows."""

    columns: int
    rows: int
    tile_width: int
    tile_height: int
    frames: list[int]


def make_poster(playback: Path, target: Path) -> None:
    """Write the frame at a third of the playback file as a JPEG, POSTER_WIDTH wide."""
    make_posters(playback, {(0, _count_frames(playback)): target})


def make_posters(playback: Path, targets: Mapping[tuple[int, int], Path]) -> None:
    """The same for each half-open range of its frames, in rising order."""
    thirds = [start + (end - start) // 3 for start, end in targets]
    for frame, target in zip(read_frames(playback, thirds), targets.values(), strict=True):
        _save(_scaled(frame, POSTER_WIDTH), target)


def make_filmstrip(playback: Path, target: Path) -> Filmstrip:
    """Write about one tile per second of the playback file into one JPEG."""
    with av.open(str(playback)) as container:
        stream = container.streams.video[0]
        count, fps = stream.frames, exact(stream.average_rate)
    tiles = min(count, MAX_TILES, max(MIN_TILES, round(count / fps)))
    frames = [(2 * tile + 1) * count // (2 * tiles) for tile in range(tiles)]
    columns = min(tiles, COLUMNS)
    rows = ceil(tiles / columns)
    sheet = None
    for tile, frame in enumerate(read_frames(playback, frames)):
        picture = _scaled(frame, TILE_WIDTH)
        if sheet is None:
            sheet = Image.new("RGB", (columns * picture.width, rows * picture.height))
        row, column = divmod(tile, columns)
        sheet.paste(picture, (column * picture.width, row * picture.height))
    assert sheet is not None  # a playback file has a frame
    _save(sheet, target)
    return Filmstrip(columns, rows, sheet.width // columns, sheet.height // rows, frames)


def read_frames(playback: Path, numbers: Sequence[int]) -> Iterator[VideoFrame]:
    """Yield these frames (rising numbers) of a playback file, seeking where that is shorter."""
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


def _count_frames(playback: Path) -> int:
    with av.open(str(playback)) as container:
        return container.streams.video[0].frames


def _scaled(frame: VideoFrame, width: int) -> Image.Image:
    height = max(1, round(width * frame.height / frame.width))
    picture = frame.to_ndarray(format="rgb24", width=width, height=height, interpolation="AREA")
    return Image.fromarray(picture)


def _save(picture: Image.Image, target: Path) -> None:
    with fresh_file(target) as temporary:
        picture.save(temporary, "JPEG", quality=JPEG_QUALITY, optimize=True)
