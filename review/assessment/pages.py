"""The page Human assessment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, QueryDict

from annotate.models import Membership, Project
from review.assessment.computing import Assessment
from review.assessment.files import NAMES, file_text
from review.assessment.report import KIND, assessment_inputs, made_of, newest_assessment
from review.assessment.rows import sections_of
from review.reports.models import Report
from review.reports.page import ReportFile, ReportPage
from review.reports.queries import Request
from review.reports.results import result_of
from review.reports.state import LABELS_CHANGED


class AssessmentPage(ReportPage[None]):
    key = "assessment"
    title = "Human assessment"
    template = "review/assessment/assessment.html"
    kinds = (KIND,)
    admins_recompute = True
    due_words = LABELS_CHANGED
    asks_when_due = True

    def context(
        self, membership: Membership, query: QueryDict, subject: None = None
    ) -> dict[str, Any]:
        project = membership.project
        report = newest_assessment(project)
        result = result_of(report, Assessment) if report else None
        return {
            "membership": membership,
            "project": project,
            "report": report,
            "sections": sections_of(result) if result else [],
            "study": result.study if result else None,
            "files": NAMES,
            "state": self.state(project, is_due=_is_due(project, report)),
        }

    def is_due(self, project: Project, requests: Mapping[str, Request]) -> bool:
        """Return whether people have judged anything since the table was computed."""
        return _is_due(project, newest_assessment(project))

    def file(
        self, membership: Membership, query: QueryDict, subject: None, name: str
    ) -> ReportFile:
        project = membership.project
        report = newest_assessment(project)
        if name not in NAMES or report is None:
            raise Http404("No such file, or nothing is computed yet.")
        made = made_of(project, report)
        return ReportFile(f"{project.slug}-{name}", file_text(name, made))


def _is_due(project: Project, report: Report | None) -> bool:
    inputs = next(iter(assessment_inputs(project)), None)
    return inputs is not None and (report is None or report.inputs_hash != inputs.hash)
