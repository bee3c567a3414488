"""People's ratings of the captions, from 0 to 5 (LoVR, section 3.2.4 and appendix B.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from review.assessment.quantities import (
    Quantity,
    Timed,
    agreement,
    high_ratings,
    mean_rating,
    seconds,
    undefined,
)
from review.ratings.computing import PARTS, Rated, summarize_parts

NOT_RATED = "No caption has been rated yet."
MEASURES = ("mean", "high", "kappa", "alpha")


@dataclass(frozen=True)
class StudyRatings:
    """The ratings of one study, identified by its key; None without ratings."""

    study: int | None = None
    rated: Sequence[Rated] = ()
    times: Sequence[Timed] = field(default_factory=list)


def rating_rows(ratings: StudyRatings) -> list[Quantity]:
    """Return the rows for clips, for whole videos and for both."""
    if not ratings.rated:
        keys = [f"rate_{part}_{name}" for part in PARTS for name in MEASURES]
        return [undefined(key, NOT_RATED) for key in [*keys, "rate_seconds"]]
    parts = summarize_parts(ratings.rated)
    rows = []
    for name in PARTS:
        part = parts.part(name)
        rows += [
            mean_rating(f"rate_{name}_mean", part),
            high_ratings(f"rate_{name}_high", part),
            agreement(f"rate_{name}_kappa", part.kappa),
            agreement(f"rate_{name}_alpha", part.alpha),
        ]
    return [*rows, seconds("rate_seconds", ratings.times)]
