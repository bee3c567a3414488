"""Ratings of captions, and the agreement of the raters (LoVR, section 3.2.4, appendix B.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from annotate.models import Project
from metrics.agreement.estimate import VERSION as AGREEMENT
from metrics.ratings import VERSION
from review.ratings import NAME
from review.ratings.computing import (
    N_BOOTSTRAP,
    SEED,
    WEIGHTS,
    Rated,
    Ratings,
    summarize_parts,
)
from review.ratings.queries import ratings_in
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.plain import AnyTable, Table
from review.reports.registry import ReportKind
from review.studies.models import Study
from review.studies.queries import running_reason, sample_words, study_title


@dataclass(frozen=True)
class RatingParameters:
    """`captions` and `raters` are those of ratings that count. `people`: how many rate each
    caption. `kappa`: its weights. `alpha`: its scale."""

    study: int
    captions: int
    raters: int
    people: int
    kappa: str
    alpha: str
    bootstrap: int


def ratings_inputs(project: Project) -> Iterator[Inputs]:
    """Return all ratings of each study that has any; the subject is the study's key."""
    studies = Study.objects.filter(project=project, kind=Study.Kind.RATING)
    for study in studies.order_by("pk"):
        rated, completed = rated_in(study), completed_in(study)
        if rated:
            yield Inputs(
                subject=str(study.pk),
                method=f"metrics.ratings {VERSION}, agreement {AGREEMENT}",
                parameters=RatingParameters(
                    study=study.pk,
                    captions=len({rating.caption for rating in rated}),
                    raters=len({rating.rater for rating in rated}),
                    people=study.people,
                    kappa=WEIGHTS,
                    alpha="ordinal",
                    bootstrap=N_BOOTSTRAP,
                ),
                labels=[*rated, *completed],
                count=len(rated),
                compute=partial(summarize_parts, rated, completed),
                seed=SEED,
                tables=partial(_tables, rated, completed),
                withheld=partial(running_reason, study),
            )


def _tables(rated: list[Rated], completed: list[int]) -> dict[str, AnyTable]:
    return {
        "ratings": Table(Rated._fields, rated, people=("rater",)),
        "completed": Table(("caption",), [(caption,) for caption in completed]),
    }


def rated_in(study: Study) -> list[Rated]:
    """Return the study's ratings that count by caption and rater, so that their order reveals
    nothing.
    """
    rows = ratings_in(study).order_by("caption", "rater")
    return [Rated(*row) for row in rows.values_list("rater", "caption", "value", "caption__kind")]


def completed_in(study: Study) -> list[int]:
    """Return the captions that all assigned people have rated, in the order in which that was."""
    counts: Counter[int] = Counter()
    completed = []
    for caption in ratings_in(study).order_by("pk").values_list("caption", flat=True):
        counts[caption] += 1
        if counts[caption] == study.people:
            completed.append(caption)
    return completed


def _subject(project: Project, report: Report) -> str:
    return study_title(project, report.subject)


def _about(parameters: RatingParameters) -> str:
    return sample_words(parameters.captions, parameters.people)


KIND = ReportKind(
    NAME, "Ratings", ratings_inputs, Ratings, of_people=True, subject=_subject, about=_about
)
