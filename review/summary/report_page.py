"""The page of any one report: its method, its sources, and its successor."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, QueryDict

from annotate.models import Membership, Project, WorkItem
from review.agreement.report import is_of, state_of
from review.agreement.words import TASKS
from review.capst.forms import PRESET_NAMES, Preset
from review.capst.queries import stale_results
from review.comparisons.models import Round
from review.display.tables import json_text
from review.reliability.report import KIND, RATINGS, ROUND, THRESHOLD
from review.reports import access as reports_access
from review.reports.models import Report
from review.reports.page import ReportFile, ReportPage, key_of, page_of
from review.reports.registry import REPORTS
from review.reports.results import OldResult, parameters_of, result_of
from review.reports.state import NOTHING_NEW
from review.reports.stored import Name
from review.reports.warnings import small_sample_warning_of
from review.studies.models import Study
from review.summary.files import report_entry
from review.summary.loading import TABLED, load, made_of
from review.summary.results import SCORES

LONGEST_RESULT = 4000
# Their parameters have one of `Names`.
NAMED = (*TABLED, Name.LEAKAGE)


@dataclass(frozen=True)
class Names:
    """What a report can be about: a model, the model that others are compared with, a set of
    captions, or who found the objects.
    """

    model: str = ""
    baseline: str = ""
    captions: str = ""
    extractor: str = ""


class StoredReportPage(ReportPage[Report]):
    """The page of one report (its subject), of any kind, current or old."""

    key = "reports"
    title = "Report"
    template = "review/summary/report.html"
    names = ()

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

    def file(
        self, membership: Membership, query: QueryDict, subject: Report | None, name: str
    ) -> ReportFile:
        if subject is None or name != "report.json":
            raise Http404("No such file.")
        project = membership.project
        full_name = f"{project.slug}-{subject.name}-report-{subject.pk}.json"
        return ReportFile(full_name, report_json(project, subject))


def _context(membership: Membership, report: Report) -> dict[str, Any]:
    project = membership.project
    newest = Report.objects.newest(project, report.name).filter(subject=report.subject).first()
    is_superseded = newest is not None and newest.pk != report.pk
    is_outdated = not is_superseded and is_old(project, report)
    page = page_of(report.name)
    result = _written(report.result)
    return {
        "membership": membership,
        "project": project,
        "report": report,
        "about": about(project, report),
        "newest": newest if is_superseded else None,
        "is_old": is_outdated,
        "to_judge": _is_to_judge(project, report),
        "page": page if membership.is_admin or not page.for_admins else None,
        "made_of": _made_of(project, report),
        "parameters": _written(report.parameters),
        "result": result[:LONGEST_RESULT],
        "is_cut": len(result) > LONGEST_RESULT,
    }


def about(project: Project, report: Report) -> str:
    """Return the title of the report's subject on other pages; "" if it is the whole project."""
    kind, _, key = report.subject.rpartition(":")
    names = parameters_of(report, Names) if report.name in NAMED else Names()
    title = names.model or names.baseline or names.captions or names.extractor
    if kind == KIND:
        title = WorkItem.Kind(key).label
    elif kind == SCORES:
        title = f"Settings “{PRESET_NAMES[Preset(key)]}”"
    elif report.name == Name.AGREEMENT:
        title = TASKS[key].title
    elif kind == ROUND or report.name in (Name.LEADERBOARD, Name.CORRELATION):
        title = str(Round.objects.filter(project=project, pk=key).first() or "")
    elif kind == RATINGS or report.name == Name.RATINGS:
        study = Study.objects.filter(project=project, pk=key).first()
        title = study.title(study.captions.count()) if study else ""
    elif kind == THRESHOLD or report.name == Name.THRESHOLD:
        study = Study.objects.filter(project=project, scorer__startswith=key).first()
        title = study.scorer_name if study else ""
    return title or report.subject.replace("_", " ")


def is_old(project: Project, report: Report) -> bool:
    """Return whether the labels of a current report have changed since."""
    if report.name == Name.AGREEMENT:
        return not is_of(report, state_of(project, report))
    if report.name in TABLED:
        return report.pk in load(project, {report.name, *REPORTS[report.name].follows}).old
    hashes = {inputs.subject: inputs.hash for inputs in REPORTS[report.name].inputs_of(project)}
    return hashes.get(report.subject) != report.inputs_hash


def _is_to_judge(project: Project, report: Report) -> bool:
    """Return whether recomputing changes nothing until the captions are judged again."""
    return report.name == Name.CAPST and any(
        result.report.pk == report.pk for result in stale_results(project)
    )


def report_json(project: Project, report: Report) -> str:
    """Return the whole report as JSON."""
    content = {
        "project": project.slug,
        "simulated": project.is_simulated,
        **report_entry(report),
        "result": report.result,
    }
    return json_text(content)


def _written(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False)


def _made_of(project: Project, report: Report) -> list[Report]:
    """Return the reports that a unified score or gap was computed from."""
    if report.name != Name.UNIFIED:
        return []
    try:
        keys = made_of(result_of(report, REPORTS[report.name].result_of(report.subject)))
    except OldResult:
        return []
    reports = Report.objects.filter(project=project, pk__in=keys)
    return list(reports.defer("result").order_by("name", "pk"))
