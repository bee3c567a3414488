"""Searching in both directions, among vectors: captions for their clips, and clips for their
captions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.retrieval import Recall, rank_gallery, recall_of_vectors


@dataclass(frozen=True)
class VectorMatrix:
    """`rows`: (n, dimension) in single precision; `keys`: (n,), the clip or caption of each row;
    `clips`: (n,), its clip. There is one row per clip or caption, in the order of their keys.

    `seconds`: of each reading. `sha256` covers the key and the bytes of each stored row.
    """

    rows: NDArray[np.float32]
    keys: NDArray[np.int64]
    clips: NDArray[np.int64]
    seconds: tuple[float, ...] = ()
    sha256: str = ""

    def __len__(self) -> int:
        return len(self.rows)


KS = (1, 5, 10)
T2V, V2T = "t2v", "v2t"
DIRECTIONS = (T2V, V2T)


@dataclass(frozen=True)
class Direction:
    """The queries of one direction, with their keys and their clips, and the gallery with its keys.
    `relevant`: for each query, the indices of its items in the gallery.
    """

    rows: NDArray[np.float32]
    keys: NDArray[np.int64]
    clips: NDArray[np.int64]
    gallery: NDArray[np.float32]
    gallery_keys: NDArray[np.int64]
    relevant: list[list[int]]


class SearchResult(NamedTuple):
    """One direction. `clips`: the clip of each query. `seconds`: the computing time."""

    recall: Recall
    clips: NDArray[np.int64]
    seconds: float


def directions_of(texts: VectorMatrix, gallery: VectorMatrix) -> dict[str, Direction]:
    """Return both directions. A caption whose clip isn't in the gallery isn't a query, but stays in
    the gallery of captions. The same applies to a clip without a caption.
    """
    place_of = {int(clip): place for place, clip in enumerate(gallery.clips)}
    asking = np.array([int(clip) in place_of for clip in texts.clips], dtype=bool)
    of_place: dict[int, list[int]] = {}
    for row in np.flatnonzero(asking).tolist():
        of_place.setdefault(place_of[int(texts.clips[row])], []).append(row)
    places = np.array(sorted(of_place), dtype=np.int64)
    clips = texts.clips[asking]
    return {
        T2V: Direction(
            rows=texts.rows if asking.all() else texts.rows[asking],
            keys=texts.keys[asking],
            clips=clips,
            gallery=gallery.rows,
            gallery_keys=gallery.keys,
            relevant=[[place_of[clip]] for clip in clips.tolist()],
        ),
        V2T: Direction(
            rows=gallery.rows if len(places) == len(gallery) else gallery.rows[places],
            keys=gallery.keys[places],
            clips=gallery.clips[places],
            gallery=texts.rows,
            gallery_keys=texts.keys,
            relevant=[of_place[place] for place in places.tolist()],
        ),
    }


def search(direction: Direction, about: Mapping[int, tuple[int, str]]) -> SearchResult:
    """Search one direction. `about`: clip -> its video and category."""
    started = perf_counter()
    clips = direction.clips
    categories = [about[clip][1] if clip in about else "" for clip in clips.tolist()]
    recall = recall_of_vectors(
        direction.rows, direction.gallery, direction.relevant, KS, categories=categories
    )
    return SearchResult(recall, clips, perf_counter() - started)


def nearest_keys(direction: Direction, count: int) -> NDArray[np.int64]:
    """Return (n, count): the keys of the items nearest to each query, nearest first; -1 beyond the
    end of a smaller gallery.
    """
    nearest = np.full((len(direction.rows), count), -1, dtype=np.int64)
    for row, places in enumerate(rank_gallery(direction.rows, direction.gallery, count)):
        nearest[row, : len(places)] = direction.gallery_keys[places]
    return nearest


def videos_of(clips: NDArray[np.int64], about: Mapping[int, tuple[int, str]]) -> Sequence[int]:
    """Return the video of each clip; a clip that was removed in the meantime has a video of its
    own.
    """
    return [about[clip][0] if clip in about else -clip for clip in clips.tolist()]
