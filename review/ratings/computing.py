"""Statistics of ratings and the agreement of the raters, from ratings alone (LoVR, section 3.2.4,
appendix B.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from metrics.agreement import Agreement, krippendorff_alpha, mean_pairwise_kappa
from metrics.ratings import SCALE, RatingSummary, summarize_ratings

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
    """The ratings of all captions, of those of clips, and of those of whole videos."""

    all: Summary
    clips: Summary
    videos: Summary

    def part(self, name: str) -> Summary:
        """`name`: of PARTS."""
        summary: Summary = getattr(self, name)
        return summary


def summarize_parts(rated: Sequence[Rated]) -> Ratings:
    return Ratings(
        **{
            part: _summary([one[:3] for one in rated if one.kind in kinds])
            for part, kinds in PARTS.items()
        }
    )


def _summary(ratings: list[tuple[int, int, int]]) -> Summary:
    resampling: dict[str, Any] = {"n_bootstrap": N_BOOTSTRAP, "seed": SEED}
    scale = list(SCALE)
    return Summary(
        **vars(summarize_ratings(ratings, **resampling)),
        kappa=mean_pairwise_kappa(ratings, WEIGHTS, scale=scale, **resampling),
        alpha=krippendorff_alpha(ratings, "ordinal", scale=scale, **resampling),
    )
