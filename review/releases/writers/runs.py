"""The runs and models that made a release's captions, for a manifest."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Q, QuerySet

from review.frozen.models import Release
from review.frozen.records import ReleasedRecord

AT_ONCE = 500
OF_RUN = ("run", "kind", "model", "model_id", "revision", "recipe_hash")


def runs_entry(release: Release, *captions: QuerySet[Any, Any]) -> dict[str, Any]:
    """Return a manifest's entry about the runs that made these captions, if the release froze any:
    the number of captions of each, but not which, because raters can read it."""
    among = Q()
    for keys in captions:
        among |= Q(caption__in=keys)
    origins = release.records.filter(among, file=ReleasedRecord.File.ORIGINS).order_by()
    counts: Counter[tuple[Any, ...]] = Counter(
        tuple(values[name] for name in OF_RUN)
        for values in origins.values_list("values", flat=True).iterator(chunk_size=AT_ONCE)
    )
    runs = [
        {**dict(zip(OF_RUN, run, strict=True)), "captions": number}
        for run, number in sorted(counts.items(), key=lambda entry: str(entry[0]))
    ]
    return {"captions_by_run": runs} if runs else {}
