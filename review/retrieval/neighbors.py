"""Find similar clips by stored vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from django.db.models import Count

from annotate.models import Project
from inference.models import Embedding
from review.retrieval.queries import clip_vectors

# The most vectors read for one page; the newest clips are left out.
MAX_COMPARED = 5_000


def clip_space(project: Project) -> str:
    """Return the vector space with the most clips; empty if no clip has a vector."""
    rows = Embedding.objects.filter(project=project, clip__isnull=False).values("space")
    return (
        rows.annotate(n=Count("clip", distinct=True))
        .order_by("-n", "space")
        .values_list("space", flat=True)
        .first()
        or ""
    )


def neighbors(
    project: Project, targets: Sequence[int], others: Sequence[int], most: int
) -> list[int]:
    """Return the `others` that are nearest to any of `targets`, nearest first; [] without
    vectors.
    """
    space = clip_space(project)
    if not space or not targets:
        return []
    clips = [*targets, *others[:MAX_COMPARED]]
    vectors = clip_vectors(Embedding.objects.filter(project=project, space=space, clip__in=clips))
    near = [clip for clip in others[:MAX_COMPARED] if clip in vectors]
    of_targets = [vectors[clip] for clip in targets if clip in vectors]
    if not near or not of_targets:
        return []
    likeness = np.max(np.stack([vectors[clip] for clip in near]) @ np.stack(of_targets).T, axis=1)
    # Break ties by key, so that the page shows the same clips each time.
    order = np.lexsort((near, -likeness))[:most]
    return [near[place] for place in order]
