"""Similarities of many vectors, one block of queries at a time, without the full matrix."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vectors = NDArray[np.float32]
Scores = NDArray[np.floating]

BLOCK_BYTES = 128 * 2**20
"""The size of one block of similarities: smaller ones multiply slower, larger ones not noticeably
faster.
"""


def unit_rows(vectors: ArrayLike, name: str) -> Vectors:
    """Return a copy of (n, d) vectors in single precision, each of length 1.

    Raises ValueError for another shape, for numbers that are not finite and for a vector of
    length 0, which has no direction to compare.
    """
    rows = np.array(vectors, dtype=np.float32)
    if rows.ndim != 2 or not rows.shape[1]:
        raise ValueError(f"{name} have shape {rows.shape}: give one vector a row")
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.sqrt(np.square(rows).sum(axis=1))
    unfit = ~(np.isfinite(lengths) & (lengths > 0))
    if unfit.any():
        raise ValueError(
            f"row {int(np.argmax(unfit))} of {name} is not a vector of finite numbers and of a "
            "length above 0"
        )
    rows /= lengths[:, None]
    return rows


def unit_pair(queries: ArrayLike, gallery: ArrayLike) -> tuple[Vectors, Vectors]:
    """Return both as `unit_rows`; raises ValueError if their dimensions differ."""
    rows, columns = unit_rows(queries, "queries"), unit_rows(gallery, "gallery")
    if rows.shape[1] != columns.shape[1]:
        raise ValueError(
            f"queries have {rows.shape[1]} numbers a vector and the gallery {columns.shape[1]}"
        )
    return rows, columns


def rows_a_block(n_columns: int, itemsize: int = 4) -> int:
    return max(1, BLOCK_BYTES // max(1, n_columns * itemsize))


def cosine_blocks(queries: Vectors, gallery: Vectors) -> Iterator[tuple[int, Scores]]:
    """Yield the first query's index and the (rows, n_gallery) cosines of a block of queries.

    The caller may overwrite the block, which is valid until the next iteration.
    """
    size = min(rows_a_block(len(gallery)), len(queries))
    space = np.empty((size, len(gallery)), dtype=np.float32)
    for first in range(0, len(queries), max(1, size)):
        chosen = queries[first : first + size]
        yield first, np.matmul(chosen, gallery.T, out=space[: len(chosen)])


def stored_blocks(similarity: NDArray[np.generic]) -> Iterator[tuple[int, Scores]]:
    """Yield blocks like `cosine_blocks` from a similarity matrix, whose rows are copied.

    Raises ValueError for numbers that are not finite.
    """
    precision = np.dtype(np.float32 if similarity.dtype == np.float32 else np.float64)
    size = rows_a_block(similarity.shape[1], precision.itemsize)
    for first in range(0, len(similarity), size):
        block: Scores = similarity[first : first + size].astype(precision)
        if not np.isfinite(block).all():
            raise ValueError("similarities must be finite numbers")
        yield first, block
