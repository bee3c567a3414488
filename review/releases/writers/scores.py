"""The scores of released captions, in short."""

from __future__ import annotations

from typing import Any

from django.db.models import Avg, Count, Max, Min, QuerySet

from inference.models import QualityScore
from review.frozen.models import Release


def score_summary(release: Release, captions: QuerySet[Any, Any]) -> list[dict[str, object]]:
    """Return, by scorer, the scores that these captions had when they were released; not which
    caption has which, since raters may read it.
    """
    scores = QualityScore.objects.filter(caption__in=captions, created_at__lte=release.created_at)
    rows = (
        scores.order_by("scorer_name", "scorer")
        .values("scorer", "scorer_name")
        .annotate(n=Count("pk"), mean=Avg("value"), least=Min("value"), most=Max("value"))
    )
    return [
        {
            "scorer": row["scorer"],
            "scorer_name": row["scorer_name"],
            "captions": row["n"],
            "mean": round(row["mean"], 6),
            "min": round(row["least"], 6),
            "max": round(row["most"], 6),
        }
        for row in rows
    ]
