"""Read the vectors of one part of a setting into a matrix, in batches of rows."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from time import perf_counter
from typing import Any

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from annotate.models import Project
from review.errors import ReviewError
from review.retrieval.directions import VectorMatrix
from review.retrieval.queries import GALLERY_OF, Setting, rows_of

BATCH_SIZE = 500


def read_matrix(project: Project, setting: Setting, part: str, *, runs: int = 1) -> VectorMatrix:
    """Read the matrix `runs` times, to time it; little more memory than its own is needed. Raises
    ReviewError if vectors differ in length.
    """
    stored = rows_of(project, setting, part).order_by("pk")
    matrix, seconds = None, []
    for _ in range(runs):
        matrix = None  # freed before it is read again
        started = perf_counter()
        matrix = _read_once(stored, part, setting.model)
        seconds.append(perf_counter() - started)
    assert matrix is not None
    return replace(matrix, seconds=tuple(seconds))


def _read_once(stored: QuerySet[Any], part: str, model: str) -> VectorMatrix:
    thing, clip = ("caption", "caption__clip") if part in GALLERY_OF else ("clip", "clip")
    # Rows come oldest first, so that the newest vector of each item remains.
    newest = {
        key: (row, of_clip)
        for row, key, of_clip in stored.values_list("pk", thing, clip).iterator(chunk_size=10_000)
    }
    keys = sorted(newest)
    place_of = {newest[key][0]: place for place, key in enumerate(keys)}
    matrix, filled, digest = _read(stored, place_of, model)
    clips = np.array([newest[key][1] for key in keys], dtype=np.int64)
    return VectorMatrix(
        # A row can have been deleted in the meantime.
        rows=matrix if filled.all() else matrix[filled],
        keys=np.array(keys, dtype=np.int64)[filled],
        clips=clips[filled],
        sha256=digest,
    )


def _read(
    stored: QuerySet[Any], place_of: dict[int, int], model: str
) -> tuple[NDArray[np.float32], NDArray[np.bool_], str]:
    matrix = np.empty((0, 0), dtype=np.float32)
    filled = np.zeros(len(place_of), dtype=bool)
    digest = sha256()
    for row, vector in stored.values_list("pk", "vector").iterator(chunk_size=BATCH_SIZE):
        place = place_of.get(row)
        if place is None:
            continue
        numbers = np.frombuffer(vector, dtype="<f4")
        if not len(matrix):
            matrix = np.empty((len(place_of), len(numbers)), dtype=np.float32)
        if len(numbers) != matrix.shape[1]:
            raise ReviewError(
                f"{model} has vectors of {matrix.shape[1]} and of {len(numbers)} dimensions in "
                "one space. Embed everything again."
            )
        matrix[place] = numbers
        filled[place] = True
        digest.update(row.to_bytes(8, "little") + bytes(vector))
    return matrix, filled, digest.hexdigest()
