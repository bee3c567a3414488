"""How well the captions fit, and how far the raters agree (LoVR, section 3.2.4, appendix B.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any, NamedTuple

from annotate.models import Caption, Project
from metrics.agreement import krippendorff_alpha, mean_pairwise_kappa
from metrics.agreement.estimate import VERSION as AGREEMENT
from metrics.ratings import SCALE, VERSION, summarise_ratings
from review.ratings.models import Rating
from review.reports.inputs import Inputs
from review.studies.models import Study

N_BOOTSTRAP = 1000
SEED = 0
WEIGHTS = "quadratic"
# Which ratings each part of the result is about.
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
    """For each study that has ratings, all of them; the subject is the study's key."""
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
                compute=partial(_result, rated),
                seed=SEED,
            )


def rated_in(study: Study) -> list[Rated]:
    """The study's ratings by caption and rater, so that their order says nothing."""
    rows = Rating.objects.filter(study=study).order_by("caption", "rater")
    return [Rated(*row) for row in rows.values_list("rater", "caption", "value", "caption__kind")]


def _result(rated: list[Rated]) -> dict[str, Any]:
    return {
        part: _part([one[:3] for one in rated if one.kind in kinds])
        for part, kinds in PARTS.items()
    }


def _part(ratings: list[tuple[int, int, int]]) -> dict[str, Any]:
    return {
        **asdict(summarise_ratings(ratings, n_bootstrap=N_BOOTSTRAP, seed=SEED)),
        "kappa": asdict(
            mean_pairwise_kappa(
                ratings, WEIGHTS, scale=list(SCALE), n_bootstrap=N_BOOTSTRAP, seed=SEED
            )
        ),
        "alpha": asdict(
            krippendorff_alpha(
                ratings, "ordinal", scale=list(SCALE), n_bootstrap=N_BOOTSTRAP, seed=SEED
            )
        ),
    }
