"""The page Statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, QueryDict

from annotate import access
from annotate.access import UserRequest
from annotate.models import Membership, Project
from review.reports.models import Report
from review.reports.page import ReportFile, ReportPage
from review.reports.queries import Request
from review.reports.results import result_of
from review.reports.services import recompute_later
from review.reports.state import ReportState
from review.statistics.files import COUNTED, statistics_csv, statistics_json, statistics_latex
from review.statistics.report import Statistics, statistics_inputs
from review.statistics.rows import figures_of, level_rows, words_rows

NAME = Report.Name.STATISTICS
CHANGED = "Clips or captions have changed. A worker has been asked to count them."
WRITERS = {
    "statistics.csv": statistics_csv,
    "statistics.json": statistics_json,
    "statistics.tex": statistics_latex,
}


class StatisticsPage(ReportPage[None]):
    """Counts alone, without any text or author, so that every member may read them."""

    key = "corpus/statistics"  # so that Corpus is marked in the menu
    title = "Statistics"
    template = "review/statistics/statistics.html"
    names = (NAME,)
    admins_recompute = True
    due_words = CHANGED

    def reader(self, request: UserRequest, slug: str) -> Membership:
        return access.member(request, slug)

    def context(
        self, membership: Membership, query: QueryDict, subject: None = None
    ) -> dict[str, Any]:
        project = membership.project
        report = _newest(project)
        is_due = _is_due(project, report)
        context = {
            "membership": membership,
            "project": project,
            "report": report,
            "counted": COUNTED,
            "state": self.state(project, is_due=is_due),
        }
        if report is None:
            return context
        statistics = result_of(report, Statistics)
        return context | {
            "levels": level_rows(statistics),
            "words": words_rows(statistics),
            "figures": figures_of(statistics),
            "left_out": statistics.left_out,
        }

    def is_due(self, project: Project, requests: Mapping[str, Request]) -> bool:
        """Return whether clips or captions have changed since they were counted."""
        return _is_due(project, _newest(project))

    def follow(self, project: Project, state: ReportState) -> None:
        if state.due:
            recompute_later(project.pk, NAME)

    def file(
        self, membership: Membership, query: QueryDict, subject: None, name: str
    ) -> ReportFile:
        project = membership.project
        report = _newest(project)
        if name not in WRITERS or report is None:
            raise Http404("There is no such file, or nothing has been counted yet.")
        content = WRITERS[name](project, report, result_of(report, Statistics))
        return ReportFile(f"{project.slug}-{name}", content)


def _newest(project: Project) -> Report | None:
    return Report.objects.newest(project, NAME).first()


def _is_due(project: Project, report: Report | None) -> bool:
    inputs = next(iter(statistics_inputs(project)), None)
    return inputs is not None and (report is None or report.inputs_hash != inputs.hash)
