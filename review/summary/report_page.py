"""The page of any one report: its method, its sources, and its successor."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.http import QueryDict

from annotate.models import Membership, Project
from review.capst import NAME as CAPST_NAME
from review.capst.queries import stale_results
from review.reports import access as reports_access
from review.reports.files import FileTable, Tables
from review.reports.models import Report
from review.reports.page import ReportPage, key_of, page_of
from review.reports.registry import kind_of
from review.reports.results import OldResult, result_of
from review.reports.section_files import report_entry
from review.reports.state import NOTHING_NEW
from review.reports.warnings import small_sample_warning_of
from review.summary import NAME
from review.summary.loading import TABLED, load, made_of

MAX_RESULT_LENGTH = 4000


class StoredReportPage(ReportPage[Report]):
    """The page of one report (its subject), of any kind, current or old."""

    key = "reports"
    title = "Report"
    template = "review/summary/report.html"

    def find(self, membership: Membership, subject: str) -> Report:
        return reports_access.any_report(membership, key_of(subject))

    def written(self, subject: Report) -> str:
        return str(subject.pk)

    def recomputed(self, subject: Report | None) -> Sequence[str]:
        return [subject.name] if subject else []

    def context(
        self, membership: Membership, query: QueryDict, subject: Report | None
    ) -> dict[str, Any]:
        assert subject is not None
        context = _context(membership, subject)
        stays = "" if context["newest"] or context["is_old"] else NOTHING_NEW
        state = self.state(membership.project, subject, nothing_new=stays)
        return context | {"state": state, "warning": small_sample_warning_of(subject)}

    def tables(self, membership: Membership, query: QueryDict, subject: Report | None) -> Tables:
        if subject is None:
            return {}
        content = partial(_content, membership.project, subject)
        return {"report": lambda: FileTable(content=content)}

    def file_name(self, project: Project, subject: Report | None, name: str) -> str:
        assert subject is not None
        return f"{project.slug}-{subject.name}-report-{subject.pk}.json"


def _context(membership: Membership, report: Report) -> dict[str, Any]:
    project = membership.project
    newest = Report.objects.newest(project, report.name).filter(subject=report.subject).first()
    is_superseded = newest is not None and newest.pk != report.pk
    is_outdated = not is_superseded and is_old(project, report)
    kind, page = kind_of(report.name), page_of(report.name)
    result = _written(report.result)
    return {
        "membership": membership,
        "project": project,
        "report": report,
        "title": kind.title,
        "about": kind.subject(project, report) or report.subject.replace("_", " "),
        "newest": newest if is_superseded else None,
        "is_old": is_outdated,
        "to_judge": _is_to_judge(project, report),
        "page": page if membership.is_admin or not page.for_admins else None,
        "made_of": _made_of(project, report),
        "parameters": _written(report.parameters),
        "result": result[:MAX_RESULT_LENGTH],
        "is_cut": len(result) > MAX_RESULT_LENGTH,
    }


def is_old(project: Project, report: Report) -> bool:
    """Return whether the labels of a current report have changed since."""
    kind = kind_of(report.name)
    if kind.is_old is not None:
        return kind.is_old(project, report)
    if report.name in TABLED:
        return report.pk in load(project, {report.name, *kind.follows}).old
    hashes = {inputs.subject: inputs.hash for inputs in kind.inputs_of(project)}
    return hashes.get(report.subject) != report.inputs_hash


def _is_to_judge(project: Project, report: Report) -> bool:
    """Return whether recomputing changes nothing until the captions are judged again."""
    return report.name == CAPST_NAME and any(
        result.report.pk == report.pk for result in stale_results(project)
    )


def _content(project: Project, report: Report) -> dict[str, Any]:
    return {
        "project": project.slug,
        "simulated": project.is_simulated,
        **report_entry(report),
        "result": report.result,
    }


def _written(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False)


def _made_of(project: Project, report: Report) -> list[tuple[str, Report]]:
    """Return the titles and reports that a unified score or gap was computed from."""
    if report.name != NAME:
        return []
    try:
        keys = made_of(result_of(report, kind_of(report.name).result_of(report.subject)))
    except OldResult:
        return []
    reports = Report.objects.filter(project=project, pk__in=keys)
    reports = reports.defer("result").order_by("name", "pk")
    return [(kind_of(source.name).title, source) for source in reports]
