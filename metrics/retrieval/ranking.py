"""Ranks a gallery for each query by cosine."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike

from metrics.retrieval.blocks import Scores, Vectors, cosine_blocks, unit_pair
from metrics.retrieval.inputs import Indices, gallery_items

# An upper bound of the error of a cosine in single precision, for usual dimensions.
MARGIN = 1e-5


def rank_gallery(
    queries: ArrayLike,
    gallery: ArrayLike,
    k: int,
    *,
    masked: Sequence[Collection[int]] | None = None,
) -> list[Indices]:
    """Return the indices of the `k` gallery items nearest to each query by cosine, nearest first.

    `queries`: (n_queries, d); `gallery`: (n_gallery, d). `masked`: for each query the gallery
    indices that must not be ranked, such as the query's own clip. A ranking is shorter than `k` if
    the gallery has fewer items.

    Ties keep the gallery's order. The final order uses cosines in double precision, summed in the
    same way for every pair, so that equal vectors tie regardless of blocks and threads; single
    precision selects the candidates. Memory is bounded by the vectors and one block of
    similarities.

    Raises ValueError for k below 1, vectors that aren't finite, have length 0 or differ in
    dimension, and masks that aren't indices of the gallery.
    """
    if k < 1:
        raise ValueError(f"k is {k}; it is a whole number from 1")
    rows, columns = unit_pair(queries, gallery)
    hidden = gallery_items(masked or [()] * len(rows), len(rows), len(columns), "masked")
    rankings: list[Indices] = []
    for first, block in cosine_blocks(rows, columns):
        block[hidden.cells(first, first + len(block))] = -np.inf
        rankings += _nearest(block, rows[first : first + len(block)], columns, k)
    return rankings


def _nearest(block: Scores, queries: Vectors, gallery: Vectors, k: int) -> list[Indices]:
    if not len(gallery):
        return [np.array([], dtype=np.int64) for _ in queries]
    place = max(0, len(gallery) - k)
    lowest = np.partition(block, place, axis=1)[:, place] - MARGIN
    nearest = []
    for scores, least, query in zip(block, lowest, queries, strict=True):
        candidates = np.flatnonzero((scores >= least) & (scores > -np.inf))
        cosines = (gallery[candidates] * query.astype(np.float64)).sum(axis=1)
        nearest.append(candidates[np.argsort(-cosines, kind="stable")[:k]])
    return nearest
