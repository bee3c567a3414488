"""Recognize a source that is a playback file already, such as a video of a release: its bytes stay.

It differs from the copy of its packets in nothing but what encoding leaves out or adds: the colors
in the container, the note of x264 about itself, the limit of the sound's bit rate, and what follows
from their size. So it can't hide anything that the copy wouldn't have.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

MOST_INDEX = 64 * 1024 * 1024
# Boxes with others inside, and how many bytes of their own come first (ISO/IEC 14496-12, -15).
CONTAINERS = {
    **dict.fromkeys((b"moov", b"trak", b"edts", b"mdia", b"minf", b"dinf", b"stbl"), 0),
    b"stsd": 8,
    b"avc1": 78,
    b"mp4a": 28,
}
COLORS, SIZES, SAMPLES = b"colr", b"stsz", b"mdat"
# The bit rate, the sizes of the samples, their offsets, and the samples.
OF_SIZE = {b"btrt", SIZES, b"stco", b"co64", SAMPLES}
HEADER = 8
SOUND = b"esds"
# The start of the sound's settings, and the offset of its two bit rates after that.
SETTINGS, BIT_RATES = b"\x04\x80\x80\x80", slice(10, 18)
# The identifier of x264's note in unregistered supplemental information.
NOTE = bytes.fromhex("dc45e9bde6d948b7962cd820d923eeef") + b"x264 - core "

Box = tuple[int, bytes, bytes]


def is_ready(source: Path, copy: Path) -> bool:
    """Return whether the source is built like the copy of its packets and has nothing else."""
    with source.open("rb") as source_file, copy.open("rb") as copy_file:
        try:
            boxes = list(_boxes(source_file))
            return _fixed(boxes) == _fixed(list(_boxes(copy_file))) and _has_samples_alone(boxes)
        except (struct.error, ValueError):
            return False


def is_note_of_x264(unit: bytes) -> bool:
    """Return whether a unit of supplemental information says with which options x264 encoded, and
    nothing else."""
    place = 2
    while unit[place : place + 1] == b"\xff":
        place += 1
    text = unit[place + 1 :].removeprefix(NOTE).rstrip(b"\x00\x80")
    is_note = unit[1:2] == b"\x05" and unit.startswith(NOTE, place + 1)
    return is_note and text.isascii() and text.decode("ascii").isprintable()


def _boxes(file: BinaryIO) -> Iterator[Box]:
    """Yield (depth, type, content) of each box but that of the colors; of the samples their size.

    Raises ValueError for a box that ends outside its parent, and for a very large file.
    """
    end = file.seek(0, 2)
    position = 0
    while position < end:
        file.seek(position)
        size, kind = struct.unpack(">I4s", file.read(HEADER))
        _check_size(size, end - position)
        if kind == SAMPLES:
            yield 0, kind, (size - HEADER).to_bytes(8)
        elif size > MOST_INDEX:
            raise ValueError("a large index")
        else:
            yield from _inside(kind, file.read(size - HEADER), 0)
        position += size


def _inside(kind: bytes, content: bytes, depth: int) -> Iterator[Box]:
    if kind == COLORS:
        return
    if kind not in CONTAINERS:
        yield depth, kind, _without_bit_rates(content) if kind == SOUND else content
        return
    position = CONTAINERS[kind]
    yield depth, kind, content[:position]
    while position < len(content):
        size, inner = struct.unpack_from(">I4s", content, position)
        _check_size(size, len(content) - position)
        yield from _inside(inner, content[position + HEADER : position + size], depth + 1)
        position += size


def _without_bit_rates(sound: bytes) -> bytes:
    before, settings, rest = sound.partition(SETTINGS)
    behind = settings + rest
    return before + behind[: BIT_RATES.start] + behind[BIT_RATES.stop :]


def _check_size(size: int, most: int) -> None:
    if not HEADER <= size <= most:
        raise ValueError("a box that ends outside its parent")


def _fixed(boxes: Sequence[Box]) -> list[Box]:
    """Return the boxes without what depends on the size of the samples."""
    return [(depth, kind, b"" if kind in OF_SIZE else content) for depth, kind, content in boxes]


def _has_samples_alone(boxes: Sequence[Box]) -> bool:
    """Return whether the file has no bytes between the samples of its tracks."""
    stored = sum(int.from_bytes(content) for _, kind, content in boxes if kind == SAMPLES)
    return stored == sum(_bytes_of_track(content) for _, kind, content in boxes if kind == SIZES)


def _bytes_of_track(sizes: bytes) -> int:
    _, size_of_all, count = struct.unpack_from(">III", sizes)
    if size_of_all:
        return int(size_of_all * count)
    return sum(struct.unpack_from(f">{count}I", sizes, 12))
