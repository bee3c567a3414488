"""What people judged in the four steps of LoVR's appendix B, as one table.

The numbers come from the functions of the reports on agreement, thresholds and ratings, so that
both say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from annotate.models import Project
from metrics.agreement.estimate import VERSION as AGREEMENT
from metrics.ratings import VERSION as RATINGS
from review.assessment.captions import caption_rows
from review.assessment.quantities import N_BOOTSTRAP, SEED, Quantity
from review.assessment.queries import assessment_state
from review.assessment.ratings import last_rated, rating_rows
from review.assessment.videos import video_rows
from review.reports.inputs import Inputs

METHOD = f"assessment 1, agreement {AGREEMENT}, ratings {RATINGS}"


@dataclass(frozen=True)
class Part:
    """One section of the appendix, such as B.1."""

    section: str
    rows: Sequence[Quantity]


@dataclass(frozen=True)
class Assessment:
    """`study`: the rating study of B.4; None without ratings."""

    parts: Sequence[Part]
    study: int | None


def assessment_inputs(project: Project) -> Iterator[Inputs]:
    """One report, once somebody has judged anything."""
    # Read before the labels, so that labels added meanwhile make the report outdated.
    state = assessment_state(project)
    if not state.judgments:
        return
    yield Inputs(
        subject="",
        method=METHOD,
        parameters={"interval": "95 %", "bootstrap": N_BOOTSTRAP},
        labels=list(asdict(state).items()),
        count=state.judgments,
        compute=lambda: assess(project),
        seed=SEED,
    )


def assess(project: Project) -> Assessment:
    studied, corrected = caption_rows(project)
    study = last_rated(project)
    return Assessment(
        parts=[
            Part("B.1", video_rows(project)),
            Part("B.2", studied),
            Part("B.3", corrected),
            Part("B.4", rating_rows(study)),
        ],
        study=study.pk if study else None,
    )
