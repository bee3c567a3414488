"""Ratings of captions, and the agreement of the raters (LoVR, section 3.2.4, appendix B.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from annotate.models import Caption, Project
from metrics.agreement import Agreement, krippendorff_alpha, mean_pairwise_kappa
from metrics.agreement.estimate import VERSION as AGREEMENT
from metrics.ratings import SCALE, VERSION, RatingSummary, summarize_ratings
from review.ratings.queries import ratings_in
from review.reports.inputs import Inputs
from review.studies.models import Study

N_BOOTSTRAP = 1000
SEED = 0
WEIGHTS = "quadratic"
# The ratings in each part of the result.
PARTS = {
    "all": frozenset({Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO}),
    "clips": frozenset({Caption.Kind.GENERAL}),
    "videos": frozenset({Caption.Kind.FULL_VIDEO}),
}


class Rated(NamedTuple):
    rater: int
    caption: int
    value: int
    kind: str


def ratings_inputs(project: Project) -> Iterator[Inputs]:
    """Return all ratings of each study that has any; the subject is the study's key."""
    for study in Study.objects.filter(project=project, kind=Study.Kind.RATING).order_by("pk"):
        rated = rated_in(study)
        if rated:
            yield Inputs(
                subject=str(study.pk),
                method=f"metrics.ratings {VERSION}, agreement {AGREEMENT}",
                parameters={
                    "study": study.pk,
                    "captions": len({one.caption for one in rated}),
                    "raters": len({one.rater for one in rated}),
                    "people": study.people,
                    "kappa": WEIGHTS,
                    "alpha": "ordinal",
                    "bootstrap": N_BOOTSTRAP,
                },
                labels=rated,
                count=len(rated),
                compute=partial(summarize_parts, rated),
                seed=SEED,
            )


def rated_in(study: Study) -> list[Rated]:
    """Return the study's ratings that count by caption and rater, so that their order reveals
    nothing.
    """
    rows = ratings_in(study).order_by("caption", "rater")
    return [Rated(*row) for row in rows.values_list("rater", "caption", "value", "caption__kind")]


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


def summarize_parts(rated: list[Rated]) -> Ratings:
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
