"""The page Agreement: how far people agree in each kind of task, and who agrees with whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from annotate.models import Membership, Project, User
from review.agreement.figures import Axis, draw_axis
from review.agreement.parts import Part, Row, part_of, row_of, shown_measures
from review.agreement.report import TASKS as TASKS_READ
from review.agreement.report import is_of
from review.agreement.words import SHARES, TASKS, QuestionWords, TaskWords, verdict_on
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.queries import Request
from review.reports.questions import Stored
from review.reports.services import recompute_later
from review.reports.small_samples import shown_estimate
from review.reports.state import LABELS_CHANGED, ReportState

NAME = Report.Name.AGREEMENT


@dataclass(frozen=True)
class Section:
    """One kind of task. `report` is None while nothing is computed yet."""

    key: str
    words: TaskWords
    stored: Stored
    report: Report | None
    axis: Axis
    parts: list[Part]
    shares: list[Row]
    reading: str

    @property
    def is_due(self) -> bool:
        return _is_due(self.stored, self.report)

    @property
    def nobody_compared(self) -> bool:
        return bool(self.parts) and not self.parts[0].n_units


class AgreementPage(ReportPage[None]):
    key = "agreement"
    title = "Agreement"
    template = "review/agreement/agreement.html"
    names = (NAME,)
    admins_recompute = True
    due_words = LABELS_CHANGED

    def context(
        self, membership: Membership, query: QueryDict, subject: None = None
    ) -> dict[str, Any]:
        project = membership.project
        sections = _sections(project)
        return {
            "membership": membership,
            "project": project,
            "sections": sections,
            "has_numbers": any(section.report for section in sections),
            "state": self.state(project, is_due=any(section.is_due for section in sections)),
        }

    def is_due(self, project: Project, requests: Mapping[str, Request]) -> bool:
        """Return whether labels have come that a report does not count."""
        reports = _reports(project)
        stored = _stored(project, reports)
        return any(one.count and _is_due(one, reports.get(key)) for key, one in stored.items())

    def follow(self, project: Project, state: ReportState) -> None:
        """Have a worker follow the labels: not every service that stores some may know this app."""
        if state.due:
            recompute_later(project.pk, NAME)


def _sections(project: Project) -> list[Section]:
    reports = _reports(project)
    names = _names(reports.values())
    axis = _axis(reports.values())
    return [
        _section(key, stored, reports.get(key), axis, names)
        for key, stored in _stored(project, reports).items()
        if stored.count
    ]


def _reports(project: Project) -> dict[str, Report]:
    return {report.subject: report for report in Report.objects.newest(project, NAME)}


def _stored(project: Project, reports: Mapping[str, Report]) -> dict[str, Stored]:
    """The labels of each task, and how many its report does not know yet."""
    known = {key: report.result["stored"]["last"] for key, report in reports.items()}
    return {key: task.state(project, known.get(key, 0)) for key, task in TASKS_READ.items()}


def _is_due(stored: Stored, report: Report | None) -> bool:
    return report is None or not is_of(report, stored)


def _names(reports: Iterable[Report]) -> dict[str, str]:
    """rater of a report -> what people call them. Of an imported label its text is all there is."""
    raters = {
        rater
        for report in reports
        for question in report.result["questions"]
        for rater in question["raters"]
    }
    kinds = {rater: rater.partition(":")[::2] for rater in raters}
    keys = {int(name) for kind, name in kinds.values() if kind == "user"}
    people = {f"user:{person.pk}": str(person) for person in User.objects.filter(pk__in=keys)}
    imported = {
        rater: f"{name} (imported)" for rater, (kind, name) in kinds.items() if kind == "label"
    }
    return {**people, **imported}


def _axis(reports: Iterable[Report]) -> Axis:
    """One for all sections, so that they can be compared."""
    measures = [
        one
        for report in reports
        for question in report.result["questions"]
        for one in shown_measures(question, _words_of(report, question))
    ]
    return draw_axis(
        [one[bound] for one in measures for bound in ("value", "low") if one[bound] is not None]
    )


def _section(
    key: str, stored: Stored, report: Report | None, axis: Axis, names: Mapping[str, str]
) -> Section:
    words = TASKS[key]
    result = report.result if report else {"questions": [], "shares": []}
    parts = [
        part_of(key, words.questions[question["name"]], question, axis, names)
        for question in result["questions"]
    ]
    return Section(
        key=key,
        words=words,
        stored=stored,
        report=report,
        axis=axis,
        parts=parts,
        shares=[
            row_of(
                SHARES[one["name"]],
                shown_estimate(one, one["of"], words.row, words.rows),
                axis,
                f"{one['count']} of {one['of']}",
            )
            for one in result["shares"]
        ],
        reading=_reading(words, result["questions"]),
    )


def _words_of(report: Report, question: Mapping[str, Any]) -> QuestionWords:
    return TASKS[report.subject].questions[question["name"]]


def _reading(words: TaskWords, questions: Sequence[Mapping[str, Any]]) -> str:
    """What the first alpha of the first question allows."""
    for question in questions[:1]:
        for one in shown_measures(question, words.questions[question["name"]]):
            if one["measure"] == "krippendorff_alpha":
                return verdict_on(one["value"], one["low"])
    return ""
