"""Read the Parquet tables that LoVR's form has: plain pages, compressed by gzip or not at all, with
columns of texts and whole numbers, or lists of objects of them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from review.proof.verifying.folder import Unreadable

MAGIC = b"PAR1"
MAX_FOOTER, MAX_PAGE = 64 * 1024 * 1024, 1024 * 1024 * 1024
INT64, BYTE_ARRAY = 2, 6
PLAIN, DATA_PAGE = 0, 0
STORED, GZIP = 0, 2
REQUIRED, REPEATED = 0, 2
NOT_READ = (struct.error, IndexError, KeyError, ValueError, TypeError, OSError, zlib.error)


class Leaf(NamedTuple):
    """A column of plain values. `depth` and `repeats`: its highest definition and repetition
    level."""

    path: tuple[str, ...]
    kind: int
    depth: int
    repeats: int


def parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows, with one group of them in memory. Raises Unreadable."""
    try:
        with path.open("rb") as file:
            footer = _footer(file)
            leaves = list(_leaves(footer[2]))
            for group in footer.get(4, []):
                columns = _columns(file, leaves, group)
                names = list(columns)
                for values in zip(*columns.values(), strict=True):
                    yield dict(zip(names, values, strict=True))
    except NOT_READ as error:
        raise Unreadable(
            f"This isn't a table of the release in Parquet: {error!r}"[:300]
        ) from error


def _footer(file: BinaryIO) -> dict[int, Any]:
    file.seek(-8, 2)
    size, magic = struct.unpack("<I4s", file.read(8))
    if magic != MAGIC or size > MAX_FOOTER:
        raise ValueError("it has no footer")
    file.seek(-8 - size, 2)
    return Compact(file.read(size)).struct()


def _leaves(schema: Sequence[dict[int, Any]]) -> Iterator[Leaf]:
    """Yield the leaves of the schema, whose elements are in the order of a walk down the tree."""
    elements = iter(schema)

    def walk(children: int, path: tuple[str, ...], depth: int, repeats: int) -> Iterator[Leaf]:
        for _ in range(children):
            element = next(elements)
            kind = element.get(3, REQUIRED)
            place = (
                (*path, element[4].decode()),
                depth + (kind != REQUIRED),
                repeats + (kind == REPEATED),
            )
            if element.get(5):
                yield from walk(element[5], *place)
            else:
                yield Leaf(place[0], element[1], *place[1:])

    yield from walk(next(elements)[5], (), 0, 0)


def _columns(file: BinaryIO, leaves: Sequence[Leaf], group: dict[int, Any]) -> dict[str, list[Any]]:
    """Return the columns of a group of rows by name; a list of objects is one column."""
    columns: dict[str, list[Any]] = {}
    for leaf, chunk in zip(leaves, group[1], strict=True):
        rows = list(_rows_of(leaf, _cells(file, leaf, chunk[3])))
        name = leaf.path[0]
        if not leaf.repeats:
            columns[name] = rows
            continue
        lists = columns.setdefault(
            name, [None if row is None else [{} for _ in row] for row in rows]
        )
        for of_row, values in zip(lists, rows, strict=True):
            for entry, value in zip(of_row or (), values or (), strict=True):
                entry[leaf.path[-1]] = value
    return columns


def _rows_of(leaf: Leaf, cells: Iterator[tuple[int, int, Any]]) -> Iterator[Any]:
    """Yield the value of each row, of a list the list of its values."""
    if not leaf.repeats:
        yield from (value for _, _, value in cells)
        return
    row: list[Any] | None = None
    is_first = True
    for repeats, depth, value in cells:
        if repeats == 0:
            if not is_first:
                yield row
            row, is_first = (None if depth == 0 else []), False
        if depth > 1 and row is not None:
            row.append(value)
    if not is_first:
        yield row


def _cells(file: BinaryIO, leaf: Leaf, column: dict[int, Any]) -> Iterator[tuple[int, int, Any]]:
    """Yield (repetition level, definition level, value) of each cell of a chunk."""
    left = column[5]
    file.seek(column[9])
    while left > 0:
        # A header has some statistics beside its numbers, of at most this size.
        start = file.tell()
        reader = Compact(file.read(64 * 1024))
        header = reader.struct()
        page = header[5]
        if header[1] != DATA_PAGE or page[2] != PLAIN or not 0 < page[1] <= left:
            raise ValueError("a page is not plain")
        file.seek(start + reader.place)
        data = _decompressed(file.read(header[3]), column[4], header[2])
        left -= page[1]
        yield from _page(leaf, data, page[1])


def _decompressed(data: bytes, codec: int, size: int) -> bytes:
    if codec not in (STORED, GZIP) or not 0 <= size <= MAX_PAGE:
        raise ValueError(f"it is compressed in another way ({codec})")
    if codec == GZIP:
        data = zlib.decompressobj(wbits=31).decompress(data, size + 1)
    if len(data) != size:
        raise ValueError("a page has another size than its header says")
    return data


def _page(leaf: Leaf, data: bytes, count: int) -> Iterator[tuple[int, int, Any]]:
    repeats, place = _levels(data, 0, leaf.repeats, count)
    depths, place = _levels(data, place, leaf.depth, count)
    values = _values(leaf.kind, data[place:])
    for repeat_level, depth in zip(repeats, depths, strict=True):
        yield repeat_level, depth, next(values) if depth == leaf.depth else None


def _values(kind: int, data: bytes) -> Iterator[Any]:
    if kind == INT64:
        yield from np.frombuffer(data, "<i8").tolist()
    elif kind == BYTE_ARRAY:
        place = 0
        while place < len(data):
            (size,) = struct.unpack_from("<I", data, place)
            place += 4 + size
            if place > len(data):
                raise ValueError("a text ends behind its page")
            yield data[place - size : place].decode()
    else:
        raise ValueError(f"a column has values of the kind {kind}")
    raise ValueError("a page has fewer values than cells")


def _levels(data: bytes, place: int, highest: int, count: int) -> tuple[Sequence[int], int]:
    """Return the level of each of `count` cells, and the place behind them."""
    if not highest:
        return [0] * count, place
    (size,) = struct.unpack_from("<I", data, place)
    place += 4
    reader, width = Compact(data[place : place + size]), highest.bit_length()
    levels: list[int] = []
    while len(levels) < count:
        run = reader.number()
        if run & 1:
            size_of_run = (run >> 1) * width
            bits = np.unpackbits(reader.bytes(size_of_run), bitorder="little").reshape(-1, width)
            levels += (bits @ (1 << np.arange(width))).tolist()
        else:
            if run >> 1 > count:
                raise ValueError("a run is longer than its page")
            levels += [int(reader.bytes(-(-width // 8))[0])] * (run >> 1)
    return levels[:count], place + size


class Compact:
    """Thrift's compact protocol. Fields are by number; unknown ones are kept."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    def bytes(self, size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        self.place += size
        if size < 0 or self.place > len(self.data):
            raise ValueError("it ends too early")
        return np.frombuffer(self.data, np.uint8, size, self.place - size)

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.place]
            self.place += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("a number is too long")

    def signed(self) -> int:
        value = self.number()
        return (value >> 1) ^ -(value & 1)

    def struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > 20:
            raise ValueError("it is nested too deeply")
        fields: dict[int, Any] = {}
        field = 0
        while byte := self.data[self.place]:
            self.place += 1
            field = field + (byte >> 4) if byte >> 4 else self.signed()
            fields[field] = self._value(byte & 15, depth)
        self.place += 1
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return int(self.bytes(1)[0])
        if kind in (4, 5, 6):
            return self.signed()
        if kind == 7:
            return struct.unpack("<d", self.bytes(8).tobytes())[0]
        if kind == 8:
            return self.bytes(self.number()).tobytes()
        if kind in (9, 10):
            byte = self.data[self.place]
            self.place += 1
            size = self.number() if byte >> 4 == 15 else byte >> 4
            if byte & 15 in (1, 2):
                return [self.bytes(1)[0] == 1 for _ in range(size)]
            return [self._value(byte & 15, depth + 1) for _ in range(size)]
        if kind == 12:
            return self.struct(depth + 1)
        raise ValueError("it has a value of an unknown kind")
