"""The arrays of a vector file, and the rules for each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import prod
from typing import IO

import numpy as np
from numpy.typing import NDArray

from review.errors import ReviewError
from review.retrieval.queries import GALLERY_OF

CLIPS = "clips"
# The array of ids -> the array of their vectors.
VECTORS_OF = {CLIPS: "clip_vectors", **{str(kind): f"{kind}_vectors" for kind in GALLERY_OF}}
# More than all of LoVR's clip and caption vectors in 7,168 dimensions need.
MAX_BYTES = 4 * 2**30
MAX_ID_BYTES = 64 * 2**20
# A short id takes far more memory than in a file, particularly a compressed one.
MAX_ROWS = 1_000_000
MAX_DIMENSION = 16_384
# The array or the metadata that names the space of the vectors in our own files.
SPACE = "space"
BATCH_BYTES = 8 * 2**20

Ids = Sequence[str | int]


@dataclass(frozen=True)
class Layout:
    """The arrays of a file. `vectors_of`: array of ids -> array of their vectors. The id arrays in
    `needed` must be present, and `at_least` id arrays in all; `missing` is the error otherwise.
    """

    vectors_of: Mapping[str, str]
    needed: frozenset[str]
    at_least: int
    missing: str

    @property
    def names(self) -> frozenset[str]:
        return frozenset({*self.vectors_of, *self.vectors_of.values()})


CAPTION_VECTORS = Layout(
    VECTORS_OF,
    frozenset({CLIPS}),
    2,
    "The file needs clips with clip_vectors, and at least one kind of captions, such as "
    "general with general_vectors.",
)


@dataclass(frozen=True)
class VectorArray:
    """An unread array of (rows, dimension) numbers; `open` yields it row by row."""

    name: str
    rows: int
    dimension: int
    dtype: np.dtype
    open: Callable[[], AbstractContextManager[IO[bytes]]]

    def blocks(self) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Yield blocks of rows in double precision, each with the index of its first row."""
        a_row = self.dimension * self.dtype.itemsize
        at_once = max(1, BATCH_BYTES // a_row)
        with self.open() as stream:
            for first in range(0, self.rows, at_once):
                length = min(at_once, self.rows - first)
                data = read_exactly(stream, length * a_row, self.name)
                numbers = np.frombuffer(data, dtype=self.dtype).reshape(length, self.dimension)
                yield first, numbers.astype(np.float64)


@dataclass(frozen=True)
class VectorFile:
    """Ids, and vectors with as many rows, by the name of the id array."""

    ids: dict[str, Ids]
    vectors: dict[str, VectorArray]

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of captions in the file."""
        return [name for name in self.ids if name != CLIPS]

    @property
    def dimension(self) -> int:
        return next(iter(self.vectors.values())).dimension


def check_names(what: str, names: Iterable[str], allowed: Collection[str]) -> None:
    """Raise ReviewError for an unknown name; `what` describes it."""
    if strange := sorted({*names}.difference(allowed)):
        raise ReviewError(
            f"The file has {what} {strange[0][:80]!r}, which isn't known. Remove it. Known are: "
            f"{', '.join(sorted(allowed))}."
        )


def vector_file(
    ids: dict[str, Ids], vectors: dict[str, VectorArray], layout: Layout = CAPTION_VECTORS
) -> VectorFile:
    """Combine ids and vectors, both by checked names. Raises ReviewError if they don't match."""
    if not layout.needed <= ids.keys() or len(ids) < layout.at_least:
        raise ReviewError(layout.missing)
    paired: dict[str, VectorArray] = {}
    for name, vectors_name in layout.vectors_of.items():
        if (name in ids) != (vectors_name in vectors):
            there, missing = (name, vectors_name) if name in ids else (vectors_name, name)
            raise ReviewError(f"The file has {there} but not {missing}. Add it.")
        if name in ids:
            paired[name] = vectors[vectors_name]
            id_count, rows = len(ids[name]), vectors[vectors_name].rows
            if id_count != rows:
                raise ReviewError(
                    f"{name} has {id_count} id{'' if id_count == 1 else 's'} and {vectors_name} "
                    f"{rows} row{'' if rows == 1 else 's'}. Give each row one id."
                )
    _check_dimensions(paired)
    # A safetensors header has no defined order.
    return VectorFile({name: ids[name] for name in paired}, paired)


def _check_dimensions(vectors: dict[str, VectorArray]) -> None:
    first, *others = vectors.values()
    for other in others:
        if other.dimension != first.dimension:
            raise ReviewError(
                f"{first.name} has vectors of {first.dimension} dimensions and {other.name} of "
                f"{other.dimension}. Embed both with the same model."
            )


def checked_array(
    name: str,
    shape: Sequence[int],
    dtype: np.dtype,
    size: int,
    open: Callable[[], AbstractContextManager[IO[bytes]]],
) -> VectorArray:
    """Check an array of `size` bytes. Raises ReviewError unless it is (rows, dimension) of float16,
    float32 or float64 of exactly that size.
    """
    if dtype.kind != "f" or dtype.itemsize not in (2, 4, 8):
        raise ReviewError(f"{name} has the type {dtype}. Save it as float16, float32 or float64.")
    if len(shape) != 2 or shape[0] < 1 or not 1 <= shape[1] <= MAX_DIMENSION:
        raise ReviewError(
            f"{name} has the shape {tuple(shape)}. Save one vector per row, of 1 to "
            f"{MAX_DIMENSION} dimensions."
        )
    if prod(shape) * dtype.itemsize != size:
        raise ReviewError(f"The size of {name} does not match its shape. Save the file again.")
    return VectorArray(name, shape[0], shape[1], dtype, open)


def read_exactly(stream: IO[bytes], size: int, name: str) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise ReviewError(f"{name} is incomplete: the file is cut off. Save it again.")
    return data
