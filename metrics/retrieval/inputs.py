"""Checked inputs of retrieval metrics: the Ks, and for each query the relevant or masked gallery
items.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class GalleryItems:
    """Gallery indices of all queries, concatenated. Query i has
    `columns[starts[i]:starts[i + 1]]`.
    """

    columns: Indices
    starts: Indices

    def cells(self, first: int, last: int) -> tuple[Indices, Indices]:
        """Return rows and columns of queries `first` to `last` (excluded), with rows counted from
        `first`.
        """
        counts = np.diff(self.starts[first : last + 1])
        columns = self.columns[self.starts[first] : self.starts[last]]
        return np.repeat(np.arange(last - first), counts), columns


def gallery_items(
    items: Sequence[Collection[int]], n_queries: int, n_gallery: int, name: str
) -> GalleryItems:
    """Raises ValueError unless `items` has one collection of distinct gallery indices per query;
    the message calls them `name`.
    """
    if len(items) != n_queries:
        raise ValueError(f"{name} has {len(items)} entries for {n_queries} queries")
    starts = np.zeros(n_queries + 1, dtype=np.int64)
    np.cumsum([len(chosen) for chosen in items], out=starts[1:])
    flat = np.array([index for chosen in items for index in chosen])
    if len(flat) and flat.dtype.kind not in "iu":
        raise ValueError(f"{name} must hold indices of the gallery, whole numbers")
    columns = flat.astype(np.int64)
    query = np.repeat(np.arange(n_queries), np.diff(starts))
    outside = (columns < 0) | (columns >= n_gallery)
    if outside.any():
        where = int(np.argmax(outside))
        raise ValueError(
            f"{name} of query {query[where]} holds {columns[where]}; the gallery has {n_gallery}"
        )
    if len(np.unique(query * n_gallery + columns)) < len(columns):
        raise ValueError(f"{name} holds an index twice for one query")
    return GalleryItems(columns, starts)


def checked_ks(ks: Iterable[int]) -> tuple[int, ...]:
    """Raises ValueError unless `ks` are distinct whole numbers from 1."""
    checked = tuple(ks)
    if not checked or len(set(checked)) < len(checked):
        raise ValueError(f"ks are {checked}; give at least one, each once")
    if any(not isinstance(k, (int, np.integer)) or k < 1 for k in checked):
        raise ValueError(f"ks are {checked}; each is a whole number from 1")
    return checked
