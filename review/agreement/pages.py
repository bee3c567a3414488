"""The Agreement page: people's agreement in each kind of task, overall and by pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from annotate.models import Membership, Project, User
from review.agreement import NAME
from review.agreement.figures import draw_axis
from review.agreement.parts import Part, Row, part_of, row_of, shown_measures
from review.agreement.report import KIND, AgreementResult, KnownRows, is_of
from review.agreement.report import TASKS as TASKS_READ
from review.agreement.words import SHARES, TASKS, TaskWords, small_sample, verdict_on
from review.display.scale import Axis
from review.reports.answers import QuestionResult
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.queries import Request
from review.reports.questions import Stored
from review.reports.results import result_of
from review.reports.small_samples import shown_estimate
from review.reports.state import LABELS_CHANGED


@dataclass(frozen=True)
class Section:
    """One kind of task. `report` is None until something is computed; `counted`: its number of
    labels.
    """

    key: str
    words: TaskWords
    stored: Stored
    report: Report | None
    counted: int
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
    kinds = (KIND,)
    admins_recompute = True
    due_words = LABELS_CHANGED
    # Not every service that stores labels may import this app.
    asks_when_due = True

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
        """Return whether there are new labels that no report counts."""
        reports = _reports(project)
        stored = _stored(project, reports)
        return any(part.count and _is_due(part, reports.get(key)) for key, part in stored.items())


def _sections(project: Project) -> list[Section]:
    reports = _reports(project)
    results = {key: result_of(report, AgreementResult) for key, report in reports.items()}
    names = _names(results.values())
    axis = _axis(results)
    return [
        _section(key, stored, reports.get(key), results.get(key), axis, names)
        for key, stored in _stored(project, reports).items()
        if stored.count
    ]


def _reports(project: Project) -> dict[str, Report]:
    return {report.subject: report for report in Report.objects.newest(project, NAME)}


def _stored(project: Project, reports: Mapping[str, Report]) -> dict[str, Stored]:
    """Return the labels of each task, and how many its report doesn't count yet."""
    stored_rows = {key: result_of(report, KnownRows).stored.last for key, report in reports.items()}
    return {key: task.state(project, stored_rows.get(key, 0)) for key, task in TASKS_READ.items()}


def _is_due(stored: Stored, report: Report | None) -> bool:
    return report is None or not is_of(report, stored)


def _names(results: Iterable[AgreementResult]) -> dict[str, str]:
    """Return the display name of each rater in a report. An imported label has only a text."""
    raters = {
        rater for result in results for question in result.questions for rater in question.raters
    }
    kinds = {rater: rater.partition(":")[::2] for rater in raters}
    keys = {int(name) for kind, name in kinds.values() if kind == "user"}
    people = {f"user:{person.pk}": str(person) for person in User.objects.filter(pk__in=keys)}
    imported = {
        rater: f"{name} (imported)" for rater, (kind, name) in kinds.items() if kind == "label"
    }
    return {**people, **imported}


def _axis(results: Mapping[str, AgreementResult]) -> Axis:
    """Return one axis for all sections, so that they can be compared."""
    measures = [
        measure
        for key, result in results.items()
        for question in result.questions
        for measure in shown_measures(question, TASKS[key].questions[question.name])
    ]
    bounds = [bound for measure in measures for bound in (measure.value, measure.low)]
    return draw_axis([bound for bound in bounds if bound is not None])


def _section(
    key: str,
    stored: Stored,
    report: Report | None,
    result: AgreementResult | None,
    axis: Axis,
    names: Mapping[str, str],
) -> Section:
    words = TASKS[key]
    questions = result.questions if result else []
    parts = [
        part_of(key, words.questions[question.name], question, axis, names)
        for question in questions
    ]
    return Section(
        key=key,
        words=words,
        stored=stored,
        report=report,
        counted=result.stored.count if result else 0,
        axis=axis,
        parts=parts,
        shares=[
            row_of(
                SHARES[share.name],
                shown_estimate(share, share.of, words.row, words.rows),
                axis,
                f"{share.count} of {share.of}",
            )
            for share in (result.shares if result else [])
        ],
        reading=_reading(words, questions),
    )


def _reading(words: TaskWords, questions: Sequence[QuestionResult]) -> str:
    """Return the interpretation of the first question's first alpha."""
    for question in questions[:1]:
        of_question = words.questions[question.name]
        for measure in shown_measures(question, of_question):
            if measure.measure == "krippendorff_alpha":
                too_few = small_sample(of_question, measure.n_units, question.n_items)
                return verdict_on(measure.value, measure.low, too_few)
    return ""
