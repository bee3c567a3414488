"""The table of what people judged in the four steps of LoVR's appendix B, as a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from annotate.models import Project
from metrics.agreement.estimate import VERSION as AGREEMENT
from metrics.ratings import VERSION as RATINGS
from review.assessment import NAME
from review.assessment.computing import Assessment, assess
from review.assessment.files import Made
from review.assessment.quantities import N_BOOTSTRAP, SEED
from review.assessment.queries import assessment_state
from review.assessment.reading import judgment_tables, read_judgments
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.registry import ReportKind
from review.reports.results import result_of

METHOD = f"assessment 1, agreement {AGREEMENT}, ratings {RATINGS}"


@dataclass(frozen=True)
class AssessmentParameters:
    interval: str
    bootstrap: int


def assessment_inputs(project: Project) -> Iterator[Inputs]:
    """Yield one report, once a person has judged anything."""
    # Read before the labels, so that labels added in the meantime make the report outdated.
    state = assessment_state(project)
    if not state.judgments:
        return
    yield Inputs(
        subject="",
        method=METHOD,
        parameters=AssessmentParameters(interval="95 %", bootstrap=N_BOOTSTRAP),
        labels=list(asdict(state).items()),
        count=state.judgments,
        compute=lambda: assess(read_judgments(project)),
        seed=SEED,
        tables=lambda: judgment_tables(read_judgments(project)),
    )


def made_of(project: Project, report: Report) -> Made:
    return Made(
        name=project.name,
        is_simulated=project.is_simulated,
        computed_at=report.created_at,
        signature=report.signature,
        assessment=result_of(report, Assessment),
    )


def newest_assessment(project: Project) -> Report | None:
    return Report.objects.newest(project, NAME).first()


KIND = ReportKind(NAME, "Human assessment", assessment_inputs, Assessment, of_people=True)
