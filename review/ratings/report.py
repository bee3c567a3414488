"""Ratings of captions, and the agreement of the raters (LoVR, section 3.2.4, appendix B.4)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from annotate.models import Project
from metrics.agreement.estimate import VERSION as AGREEMENT
from metrics.ratings import VERSION
from review.ratings.computing import N_BOOTSTRAP, SEED, WEIGHTS, Rated, summarize_parts
from review.ratings.queries import ratings_in
from review.reports.inputs import Inputs
from review.reports.plain import AnyTable, Table
from review.studies.models import Study
from review.studies.queries import running_reason


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
                tables=partial(_tables, rated),
                withheld=partial(running_reason, study),
            )


def _tables(rated: list[Rated]) -> dict[str, AnyTable]:
    return {"ratings": Table(Rated._fields, rated, people=("rater",))}


def rated_in(study: Study) -> list[Rated]:
    """Return the study's ratings that count by caption and rater, so that their order reveals
    nothing.
    """
    rows = ratings_in(study).order_by("caption", "rater")
    return [Rated(*row) for row in rows.values_list("rater", "caption", "value", "caption__kind")]
