"""The basis of an adopted threshold: the estimate that the page showed, if any."""

from __future__ import annotations

from typing import Any

from annotate.models import AuditEvent, Project
from inference.models import QualityThreshold
from review.reports.models import Report
from review.reports.results import result_of
from review.threshold.computing import Thresholds

Basis = dict[str, Any]


def basis_of(project: Project, scorer: str, report: int | None, rule: str, counting: str) -> Basis:
    """Return the basis in the form stored in an event; empty if this scorer has no report with this
    key.
    """
    basis = report_of(project, scorer, report)
    if basis is None:
        return {}
    return {
        "rule": rule,
        "counting": counting,
        "estimate": result_of(basis, Thresholds).counted(counting).rules[rule].threshold,
        "signature": basis.signature,
    }


def report_of(project: Project, scorer: str, key: int | None) -> Report | None:
    """Return the threshold report of this scorer with this key."""
    reports = Report.objects.filter(project=project, name=Report.Name.THRESHOLD, subject=scorer)
    return None if key is None else reports.filter(pk=key).first()


def bases_of(project: Project) -> dict[int, Basis]:
    """Return the bases by key of the adopted threshold, only of thresholds that rested on an
    estimate.
    """
    events = AuditEvent.objects.filter(
        project=project, object_type=QualityThreshold._meta.model_name, verb="adopt threshold"
    )
    return {
        key: after
        for key, after in events.order_by().values_list("object_id", "after")
        if "signature" in after
    }
