"""The page Reliability: how reliable each person is in each kind of work, for admins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from annotate.kinds import Kind, all_kinds
from annotate.models import Membership, Project
from review.display.scale import Axis, Mark, draw_axis, draw_mark
from review.reliability.beside import names_of, newest_reports
from review.reliability.report import KIND, WORK
from review.reliability.results import (
    Consensus,
    KindReliability,
    PersonReliability,
)
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.results import result_of

HUNDRED = 100
# A smaller share means that no item has the label: its rate is made of imagined answers only.
NO_ITEM = 1e-9
LINKS = {
    "verify": ("Verifications", "review:verifications", ""),
    "rate": ("Ratings", "review:report_page", "ratings"),
    "pair": ("Label pairs", "review:label_pairs", ""),
    "compare": ("Leaderboard", "review:report_page", "leaderboard"),
}


@dataclass(frozen=True)
class Person:
    """A person in a kind of work. `mark` is None without a number. `rates`: how often they give
    each label when it is right, by Dawid and Skene, None for a label that no item has; empty if
    their answers were compared with no others."""

    name: str
    numbers: PersonReliability
    mark: Mark | None
    rates: Sequence[float | None]


@dataclass(frozen=True)
class Section:
    """A kind of work. `rate_names`: the labels of the rates."""

    kind: Kind
    report: Report
    result: KindReliability
    people: Sequence[Person]
    axis: Axis
    rate_names: Sequence[str]
    link: tuple[str, str, str] | None

    @property
    def has_gold(self) -> bool:
        return any(person.numbers.gold for person in self.people)

    @property
    def has_checks(self) -> bool:
        return any(person.numbers.checks for person in self.people)


class ReliabilityPage(ReportPage[None]):
    key = "reliability"
    title = "Reliability"
    template = "review/reliability/reliability.html"
    kinds = (KIND,)
    for_admins = True
    admins_recompute = True

    def context(
        self, membership: Membership, query: QueryDict, subject: None = None
    ) -> dict[str, Any]:
        project = membership.project
        return {
            "membership": membership,
            "project": project,
            "sections": _sections(project),
            "state": self.state(project),
        }


def _sections(project: Project) -> list[Section]:
    reports = newest_reports(project, f"{WORK}:")
    results = {key: result_of(report, KindReliability) for key, report in reports.items()}
    names = names_of(person.rater for result in results.values() for person in result.people)
    return [
        _section(kind, reports[kind], results[kind], names)
        for kind in all_kinds()
        if kind in results
    ]


def _section(
    kind: Kind, report: Report, result: KindReliability, names: Mapping[str, str]
) -> Section:
    axis = draw_axis([0, HUNDRED])
    consensus = result.consensus[0] if result.consensus else None
    rates = _rates(consensus) if consensus else {}
    people = [
        Person(
            names[person.rater],
            person,
            _mark(axis, person),
            # Answers to questions that nobody else answered determine their own right label.
            rates.get(person.rater, ()) if person.estimate.compared else (),
        )
        for person in result.people
    ]
    people.sort(key=lambda person: (-(person.numbers.estimate.value or 0), person.name))
    return Section(
        kind=kind,
        report=report,
        result=result,
        people=people,
        axis=axis,
        rate_names=_rate_names(consensus.question, consensus.labels) if rates and consensus else [],
        link=LINKS.get(kind),
    )


def _rates(consensus: Consensus) -> dict[str, list[float | None]]:
    has_items = [share > NO_ITEM for share in consensus.shares]
    return {
        person.rater: [
            rate if has else None for rate, has in zip(person.rates, has_items, strict=True)
        ]
        for person in consensus.people
    }


def _rate_names(question: str, labels: Sequence[Any]) -> list[str]:
    if question:
        return ["Right kept", "Errors found"]
    return [f"{str(label).capitalize()} found" for label in labels]


def _mark(axis: Axis, person: PersonReliability) -> Mark | None:
    estimate = person.estimate
    if estimate.value is None:
        return None
    low, high = (None if end is None else HUNDRED * end for end in (estimate.low, estimate.high))
    return draw_mark(axis, HUNDRED * estimate.value, low, high)
