"""Read the vectors that are searched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotate.models import Project
from review.retrieval.directions import VectorMatrix
from review.retrieval.matrix import read_matrix
from review.retrieval.queries import GALLERY_OF, Setting


def pairs_of(
    project: Project, setting: Setting, kinds: Iterable[str], *, runs: int = 1
) -> Iterator[tuple[str, VectorMatrix, VectorMatrix]]:
    """Yield each kind with its captions and their gallery. Each is read `runs` times. At most three
    matrices are in memory, plus the copies that the metric makes.
    """
    name, gallery = "", None
    for kind in kinds:
        if gallery is None or GALLERY_OF[kind] != name:
            name = GALLERY_OF[kind]
            gallery = None  # freed before the next one is read
            gallery = read_matrix(project, setting, name, runs=runs)
        yield kind, read_matrix(project, setting, kind, runs=runs), gallery
