"""A report's numbers side by side: of everybody, with reliability, and without one person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from annotate.models import Project, User
from annotate.ordering import natural_key
from metrics.reliability.crowd_strength import Quality
from review.reliability import NAME
from review.reports.models import Report

TEMPLATE = "review/reliability/beside.html"
UNDEFINED = "–"
OTHER_COUNT = "Computed from {own} of now {now}. Recompute Reliability to update it."
Context = Mapping[str, Any]
Sections = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Row:
    """A number as each column has it, in words."""

    name: str
    everybody: str
    option: str = ""
    without: str = ""


@dataclass(frozen=True)
class Choice:
    key: str
    name: str


@dataclass(frozen=True)
class Beside:
    """`id`: of the section, and what its switch is called in addresses. `option`: the head of the
    column that takes reliability into account, empty without one. `people`: whom the reader may
    leave out; `chosen` is who is left out, if anybody. `kept`: the rest of the page's query.
    `qualities`: of each reviewer, lowest first, for readers who may see them."""

    id: str
    title: str
    lead: str
    option: str
    rows: Sequence[Row]
    people: Sequence[Choice]
    chosen: Choice | None
    kept: Sequence[tuple[str, str]]
    notes: Sequence[str]
    report: Report
    qualities: Sequence[tuple[str, Quality]] = ()

    @property
    def context(self) -> dict[str, Any]:
        return {"template": TEMPLATE, "beside": self}


def newest_reports(project: Project, start: str) -> dict[str, Report]:
    """Return the newest reports on reliability whose subjects begin with `start`, by the rest of
    the subject.
    """
    reports = Report.objects.newest(project, NAME).filter(subject__startswith=start)
    return {report.subject.removeprefix(start): report for report in reports}


def names_of(raters: Iterable[str]) -> dict[str, str]:
    """Return the name of each rater; for a person in an imported file, the label."""
    kinds = {rater: rater.partition(":")[::2] for rater in raters}
    keys = {int(name) for kind, name in kinds.values() if kind == "user"}
    people = {f"user:{person.pk}": str(person) for person in User.objects.filter(pk__in=keys)}
    return {
        rater: people.get(rater, "Somebody") if kind == "user" else f"{name} (imported)"
        for rater, (kind, name) in kinds.items()
    }


def choices_of(names: Mapping[str, str]) -> list[Choice]:
    return sorted(
        (Choice(rater, name) for rater, name in names.items()),
        key=lambda choice: (natural_key(choice.name), choice.key),
    )


def chosen_in(people: Sequence[Choice], query: QueryDict, id: str) -> Choice | None:
    """Return the person that the query leaves out; None without one or for an invalid one."""
    asked = query.get(id, "")
    return next((choice for choice in people if choice.key == asked), None)


def kept_in(query: QueryDict, id: str) -> list[tuple[str, str]]:
    return [(name, str(query[name])) for name in query if name not in (id, "page")]


def decimals(value: float | None, digits: int = 2) -> str:
    return UNDEFINED if value is None else f"{value:z.{digits}f}"


def percents(value: float | None) -> str:
    return UNDEFINED if value is None else f"{100 * value:.1f} %"


def counted_before(report: Report, now: int, units: str) -> str:
    """Return a note if the report is based on other labels than the page now has."""
    if report.inputs == now:
        return ""
    return OTHER_COUNT.format(own=f"{report.inputs:,} {units}", now=f"{now:,}")
