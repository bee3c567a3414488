"""The basis of an adopted threshold: the estimate that the page showed, if any."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.models import Project
from review.reports.models import Report
from review.reports.results import result_of
from review.threshold import NAME
from review.threshold.computing import Thresholds
from review.threshold.models import ThresholdBasis


@dataclass(frozen=True)
class Basis:
    """`estimate`: the threshold by this rule and way of counting, None if there was none.
    `signature`: of the report.
    """

    rule: str
    counting: str
    estimate: float | None
    signature: str


def basis_of(
    project: Project, scorer: str, report: int | None, rule: str, counting: str
) -> Basis | None:
    """Return the basis; None if this scorer has no report with this key."""
    stored = report_of(project, scorer, report)
    if stored is None:
        return None
    estimate = result_of(stored, Thresholds).counted(counting).rules[rule].threshold
    return Basis(rule, counting, estimate, stored.signature)


def report_of(project: Project, scorer: str, key: int | None) -> Report | None:
    """Return the threshold report of this scorer with this key."""
    reports = Report.objects.filter(project=project, name=NAME, subject=scorer)
    return None if key is None else reports.filter(pk=key).first()


def bases_of(project: Project) -> dict[int, Basis]:
    """Return the bases by key of the adopted threshold, only of thresholds that rested on an
    estimate.
    """
    rows = ThresholdBasis.objects.filter(threshold__project=project)
    return {row.pk: Basis(row.rule, row.counting, row.estimate, row.signature) for row in rows}
