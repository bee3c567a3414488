"""Statistics of ratings and the agreement of the raters, from ratings alone (LoVR, section 3.2.4,
appendix B.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, NamedTuple

from metrics.agreement import Agreement, krippendorff_alpha, mean_pairwise_kappa
from metrics.ratings import SCALE, RatingSummary, summarize_ratings
from review.studies.precision import Course, mean_course

GENERAL, FULL_VIDEO = "general", "full_video"
N_BOOTSTRAP = 1000
SEED = 0
WEIGHTS = "quadratic"
# The ratings in each part of the result.
PARTS = {
    "all": frozenset({GENERAL, FULL_VIDEO}),
    "clips": frozenset({GENERAL}),
    "videos": frozenset({FULL_VIDEO}),
}


class Rated(NamedTuple):
    rater: int
    caption: int
    value: int
    kind: str


@dataclass(frozen=True, kw_only=True)
class Summary(RatingSummary):
    """Statistics of ratings, with the agreement of the raters."""

    kappa: Agreement
    alpha: Agreement


@dataclass(frozen=True)
class Ratings:
    """The ratings of all captions, of clips, and of whole videos. `courses`: how the mean developed
    for each of the latter two, if it has ratings.
    """

    all: Summary
    clips: Summary
    videos: Summary
    courses: Mapping[str, Course] = field(default_factory=dict)

    def part(self, name: str) -> Summary:
        """Return the summary of this part of PARTS."""
        summary: Summary = getattr(self, name)
        return summary


def summarize_parts(rated: Sequence[Rated], completed: Sequence[int] = ()) -> Ratings:
    """Summarize the ratings. `completed`: captions that all assigned people have rated, in order of
    completion.
    """
    summaries = {
        part: _summary([rating[:3] for rating in rated if rating.kind in kinds])
        for part, kinds in PARTS.items()
    }
    means = means_in_order(rated, completed)
    return Ratings(**summaries, courses={part: mean_course(means[part]) for part in means})


def means_in_order(rated: Sequence[Rated], completed: Sequence[int]) -> dict[str, list[float]]:
    """Return the mean ratings of the completed captions in order, by part: of clips and of whole
    videos, if it has any.
    """
    ratings: dict[int, list[int]] = {}
    kind_of = {}
    for rating in rated:
        ratings.setdefault(rating.caption, []).append(rating.value)
        kind_of[rating.caption] = rating.kind
    means = {
        part: [fmean(ratings[caption]) for caption in completed if kind_of[caption] in PARTS[part]]
        for part in ("clips", "videos")
    }
    return {part: of_part for part, of_part in means.items() if of_part}


def _summary(ratings: list[tuple[int, int, int]]) -> Summary:
    resampling: dict[str, Any] = {"n_bootstrap": N_BOOTSTRAP, "seed": SEED}
    scale = list(SCALE)
    return Summary(
        **vars(summarize_ratings(ratings, **resampling)),
        kappa=mean_pairwise_kappa(ratings, WEIGHTS, scale=scale, **resampling),
        alpha=krippendorff_alpha(ratings, "ordinal", scale=scale, **resampling),
    )
