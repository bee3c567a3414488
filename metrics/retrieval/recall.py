"""Recall at K: the share of queries with a relevant item among the first K.

CaReBench (section 5.2) and LoVR (section 4.1) report it at 1, 5 and 10 in both directions; neither
defines ties, and released code leaves them to the sorting routine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from metrics.retrieval.blocks import Scores, cosine_blocks, stored_blocks, unit_pair
from metrics.retrieval.inputs import GalleryItems, Indices, checked_ks, gallery_items

VERSION = 1
TIE_TOLERANCE = 1e-6
"""In the similarities' unit: cosines in single precision are not exact to more."""


@dataclass(frozen=True)
class RecallCounts:
    """`recall`: share of the queries whose rank is at most K, 0 to 1. `hits`: their number. Recall
    and `median_rank` are None without queries.
    """

    recall: dict[int, float | None]
    hits: dict[int, int]
    median_rank: float | None
    n_queries: int


@dataclass(frozen=True)
class Recall(RecallCounts):
    """Recall over all queries and over those of each category.

    `ranks`: the rank of the first relevant item of each query, from 1. `n_relevant`: relevant items
    over all queries. `reason`: why recall is undefined, or "".
    """

    n_gallery: int
    n_relevant: int
    tie_tolerance: float
    by_category: dict[str, RecallCounts]
    ranks: Indices = field(repr=False, compare=False)
    reason: str = ""
    version: int = VERSION


def recall_at_k(
    similarity: ArrayLike,
    relevant: Sequence[Collection[int]],
    ks: Iterable[int] = (1, 5, 10),
    *,
    categories: Sequence[str] | None = None,
    tie_tolerance: float = TIE_TOLERANCE,
) -> Recall:
    """Return recall at each K from a similarity matrix.

    `similarity`: (n_queries, n_gallery), higher is nearer. `relevant`: for each query the gallery
    indices of its relevant items, at least one; any of them is a hit. `categories`: one per query.
    For the other direction pass the transposed matrix and its own `relevant`.

    Ties go against the query: its rank is 1 plus the number of irrelevant items that score no more
    than `tie_tolerance` below its best relevant one. So ranks don't depend on the gallery's order
    or on rounding, and vectors that are all equal have no hits.

    Raises ValueError for a query without relevant items, for indices outside the gallery or
    repeated, unequal lengths, numbers that are not finite, and for ks that are not distinct whole
    numbers from 1.
    """
    matrix = np.asarray(similarity)
    if matrix.ndim != 2 or matrix.dtype.kind not in "iuf":
        raise ValueError(
            f"similarity has shape {matrix.shape} and type {matrix.dtype}: give numbers, one row "
            "a query and one column a gallery item"
        )
    n_queries, n_gallery = matrix.shape
    blocks = stored_blocks(matrix)
    return _recall(blocks, n_queries, n_gallery, relevant, ks, categories, tie_tolerance)


def recall_of_vectors(
    queries: ArrayLike,
    gallery: ArrayLike,
    relevant: Sequence[Collection[int]],
    ks: Iterable[int] = (1, 5, 10),
    *,
    categories: Sequence[str] | None = None,
    tie_tolerance: float = TIE_TOLERANCE,
) -> Recall:
    """Return `recall_at_k` of the cosines of `queries` (n_queries, d) and `gallery` (n_gallery, d),
    with one block of cosines in memory at a time.

    Vectors are scaled to length 1, in single precision. For the other direction swap the two and
    pass its own `relevant`. Raises ValueError as `recall_at_k` does, and for vectors of length 0 or
    of different dimensions.
    """
    rows, columns = unit_pair(queries, gallery)
    blocks = cosine_blocks(rows, columns)
    return _recall(blocks, len(rows), len(columns), relevant, ks, categories, tie_tolerance)


def _recall(
    blocks: Iterator[tuple[int, Scores]],
    n_queries: int,
    n_gallery: int,
    relevant: Sequence[Collection[int]],
    ks: Iterable[int],
    categories: Sequence[str] | None,
    tie_tolerance: float,
) -> Recall:
    cutoffs = checked_ks(ks)
    targets = gallery_items(relevant, n_queries, n_gallery, "relevant")
    lonely = np.flatnonzero(np.diff(targets.starts) == 0)
    if len(lonely):
        raise ValueError(f"query {lonely[0]} has nothing relevant, so it can't be found")
    if not (np.isfinite(tie_tolerance) and tie_tolerance >= 0):
        raise ValueError(f"tie_tolerance is {tie_tolerance}; it is a number from 0")
    if categories is not None and len(categories) != n_queries:
        raise ValueError(f"categories has {len(categories)} entries for {n_queries} queries")

    ranks = np.empty(n_queries, dtype=np.int64)
    for first, block in blocks:
        ranks[first : first + len(block)] = _ranks(block, first, targets, tie_tolerance)
    counts = _counts(ranks, cutoffs)
    groups = np.array(list(categories or ()), dtype=str)
    return Recall(
        recall=counts.recall,
        hits=counts.hits,
        median_rank=counts.median_rank,
        n_queries=n_queries,
        n_gallery=n_gallery,
        n_relevant=len(targets.columns),
        tie_tolerance=tie_tolerance,
        by_category={
            str(group): _counts(ranks[groups == group], cutoffs) for group in np.unique(groups)
        },
        ranks=ranks,
        reason="" if n_queries else "There are no queries.",
    )


def _ranks(block: Scores, first: int, targets: GalleryItems, tie_tolerance: float) -> Indices:
    """Return the ranks of the block's queries. Overwrites the scores of relevant items, which don't
    compete with each other.
    """
    rows, columns = targets.cells(first, first + len(block))
    best = np.full(len(block), -np.inf, dtype=block.dtype)
    np.maximum.at(best, rows, block[rows, columns])
    block[rows, columns] = -np.inf
    least = best - block.dtype.type(tie_tolerance)
    # Row by row, which fits in the processor's cache: along an axis it takes twice as long.
    counted = [np.count_nonzero(row >= bar) for row, bar in zip(block, least, strict=True)]
    return 1 + np.array(counted, dtype=np.int64)


def _counts(ranks: Indices, ks: tuple[int, ...]) -> RecallCounts:
    n = len(ranks)
    hits = {k: int((ranks <= k).sum()) for k in ks}
    return RecallCounts(
        recall={k: hit / n if n else None for k, hit in hits.items()},
        hits=hits,
        median_rank=float(np.median(ranks)) if n else None,
        n_queries=n,
    )
