"""People's ratings of the captions, from 0 to 5 (LoVR, section 3.2.4 and appendix B.4)."""

from __future__ import annotations

from annotate.models import Project
from review.assessment.quantities import (
    Base,
    Quantity,
    Ratio,
    agreement,
    high_ratings,
    mean_rating,
    undefined,
)
from review.assessment.videos import NO_TIME
from review.ratings.computing import PARTS, summarize_parts
from review.ratings.models import Rating
from review.ratings.queries import ratings_in
from review.ratings.report import rated_in
from review.studies.models import Study

NOT_RATED = "No caption has been rated yet."
MEASURES = ("mean", "high", "kappa", "alpha")


def last_rated(project: Project) -> Study | None:
    """Return the newest rating study with a rating, of which the table tells."""
    ratings = Rating.objects.filter(caption__project=project).values("study")
    return Study.objects.filter(pk__in=ratings).order_by("-pk").first()


def rating_rows(study: Study | None) -> list[Quantity]:
    """Return the rows for clips, for whole videos and for both."""
    rated = rated_in(study) if study else []
    if study is None or not rated:
        keys = [f"rate_{part}_{name}" for part in PARTS for name in MEASURES]
        return [undefined(key, NOT_RATED) for key in [*keys, "rate_seconds"]]
    parts = summarize_parts(rated)
    rows = []
    for name in PARTS:
        part = parts.part(name)
        rows += [
            mean_rating(f"rate_{name}_mean", part),
            high_ratings(f"rate_{name}_high", part),
            agreement(f"rate_{name}_kappa", part.kappa),
            agreement(f"rate_{name}_alpha", part.alpha),
        ]
    return [*rows, _seconds(study)]


def _seconds(study: Study) -> Quantity:
    ratings = ratings_in(study).filter(assignment__active_seconds__gt=0).order_by("pk")
    times = list(ratings.values_list("assignment__active_seconds", "rater"))
    base = Base(len(times), len(times), len({rater for _, rater in times}))
    ratio = Ratio([seconds for seconds, _ in times], [1] * len(times))
    return ratio.quantity("rate_seconds", base, NO_TIME)
