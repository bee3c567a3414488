"""The current reports behind tables of metrics, each with the parts of its result that a table
needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, Self, TypeVar

from django.db.models import F

from annotate.models import Project
from review.reports.models import Report
from review.reports.registry import kind_of
from review.reports.results import OldResult, convert, parameters_of

READ = "read_"
Numbers = TypeVar("Numbers")
Parameters = TypeVar("Parameters")


@dataclass(frozen=True)
class Unread:
    """The parameters of reports of which only numbers are read."""


@dataclass(frozen=True)
class StoredKind(Generic[Numbers, Parameters]):
    """The reports of one `name` as tables read them. `numbers`: a dataclass with the needed fields
    of the result, whose other fields can be much larger. `parameters`: the dataclass of their
    parameters. `subjects`: the beginning of their subjects, if results of the name have several
    shapes."""

    name: str
    numbers: type[Numbers]
    parameters: type[Parameters]
    subjects: str = ""


@dataclass(frozen=True)
class Stored(Generic[Numbers, Parameters]):
    """A report with its parameters and the needed numbers of its result, which itself is not
    loaded."""

    report: Report
    numbers: Numbers
    parameters: Parameters

    @property
    def about(self) -> int | None:
        """The key of its caption set or imported vectors."""
        first, _, rest = self.report.subject.partition(":")
        key = first if kind_of(self.report.name).is_of_captions else rest
        return int(key) if key.isdecimal() else None


AnyStored = Stored[Any, Any]


@dataclass(frozen=True)
class StoredReports:
    """`by_kind`: the stored reports of each kind. `old`: the keys of those whose labels have
    changed."""

    by_kind: Mapping[StoredKind[Any, Any], Sequence[AnyStored]]
    old: set[int]

    def of(self, kind: StoredKind[Numbers, Parameters]) -> Sequence[Stored[Numbers, Parameters]]:
        return self.by_kind.get(kind, ())

    def of_subject(
        self, kind: StoredKind[Numbers, Parameters]
    ) -> dict[str, Stored[Numbers, Parameters]]:
        return {stored.report.subject: stored for stored in self.of(kind)}

    @property
    def every(self) -> list[AnyStored]:
        return [stored for of_kind in self.by_kind.values() for stored in of_kind]

    def only(self, kept: Collection[int]) -> Self:
        """Return only the reports that are `kept`."""
        return replace(
            self,
            by_kind={
                kind: [stored for stored in of_kind if stored.report.pk in kept]
                for kind, of_kind in self.by_kind.items()
            },
        )


def current_reports(
    project: Project, kind: StoredKind[Numbers, Parameters]
) -> list[Stored[Numbers, Parameters]]:
    """Return the current reports by subject, without those in an earlier version's shape."""
    names = [field.name for field in fields(kind.numbers)]  # type: ignore[arg-type]  # a dataclass
    parts = {name: F(f"result__{name}") for name in names}
    newest = Report.objects.newest(project, kind.name).filter(subject__startswith=kind.subjects)
    rows = newest.defer("result").annotate(**{f"{READ}{part}": f for part, f in parts.items()})
    reports = []
    for report in rows.order_by("subject"):
        values = {part: getattr(report, f"{READ}{part}") for part in parts}
        with suppress(OldResult):
            parameters = parameters_of(report, kind.parameters)
            reports.append(Stored(report, _read(values, kind.numbers), parameters))
    return reports


def _read(parts: Mapping[str, Any], kind: type[Numbers]) -> Numbers:
    """Read the parts; missing ones and null get their defaults."""
    return convert({part: value for part, value in parts.items() if value is not None}, kind)


def reports_in_use(
    project: Project, kind: StoredKind[Numbers, Parameters]
) -> list[Stored[Numbers, Parameters]]:
    """Return them by subject, without those about captions and vectors that pages no longer offer.
    The number of statements is constant."""
    reports = current_reports(project, kind)
    is_retired = kind_of(kind.name).retired
    retired = is_retired(project) if is_retired else set()
    return [report for report in reports if report.about is None or report.about not in retired]
