"""The page Programs: each declared program beside people, in each kind of work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from annotate.models import Membership, Project, User
from annotate.programs import programs_of
from metrics.agreement import Agreement
from review.agreement.words import TASKS, QuestionWords, measure_name
from review.programs import NAME
from review.programs.comparing import Compared, Rates
from review.programs.report import KIND, ProgramResult
from review.reports.answers import ShareResult
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.results import result_of
from review.reports.small_samples import shown_estimate


@dataclass(frozen=True)
class Measure:
    """One measure of the program and the first person, and of the first two people."""

    name: str
    program: Agreement
    people: Agreement


@dataclass(frozen=True)
class Rate:
    name: str
    true: ShareResult
    false: ShareResult


@dataclass(frozen=True)
class Part:
    """One kind of work of a program. `unit`, `units`: what is compared."""

    title: str
    words: QuestionWords
    compared: Compared
    measures: list[Measure]
    rates: list[Rate]


@dataclass(frozen=True)
class Section:
    """A program. `report` is None until it is computed."""

    person: User
    report: Report | None
    parts: list[Part]


class ProgramsPage(ReportPage[None]):
    key = "programs"
    title = "Programs"
    template = "review/programs/programs.html"
    kinds = (KIND,)
    for_admins = True

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
            "state": self.state(project),
        }


def _sections(project: Project) -> list[Section]:
    reports = {report.subject: report for report in Report.objects.newest(project, NAME)}
    people = User.objects.filter(pk__in=programs_of(project)).order_by("name", "pk")
    return [
        Section(
            person,
            report := reports.get(str(person.pk)),
            [_part(each) for each in result_of(report, ProgramResult).tasks] if report else [],
        )
        for person in people
    ]


def _part(compared: Compared) -> Part:
    task = TASKS[compared.task]
    words = next(iter(task.questions.values()))
    return Part(
        title=task.title,
        words=words,
        compared=compared,
        measures=[
            Measure(
                measure_name(own.measure, own.distance, 2),
                shown_estimate(own, own.n_units, words.unit, words.units),
                shown_estimate(people, people.n_units, words.unit, words.units),
            )
            for own, people in zip(compared.measures, compared.among_people, strict=True)
        ],
        rates=[_rate(rates, task.questions, words) for rates in compared.rates],
    )


def _rate(rates: Rates, questions: Any, words: QuestionWords) -> Rate:
    def with_enough(share: ShareResult) -> ShareResult:
        return shown_estimate(share, share.of, words.unit, words.units)

    return Rate(questions[rates.name].title, with_enough(rates.true), with_enough(rates.false))
