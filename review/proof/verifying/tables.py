"""A report and its inputs, as files of a release."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from review.proof.verifying.folder import Folder, Unreadable
from review.proof.verifying.parsing import (
    Mistyped,
    Read,
    fields_reader,
    parsed,
    read_under,
    reader_of,
)
from review.reports.plain import Vectors

INDEX = "reports/index.json"
Kind = TypeVar("Kind")


@dataclass(frozen=True, kw_only=True)
class StoredReport:
    """A report with what it was computed from: the paths of its `inputs` by name. `reason`: why it
    can't be `recomputed`, if so. `not_recomputed`: the parts of its result that can't, otherwise.
    """

    report: str
    subject: str
    simulated: bool
    computed_at: str
    parameters: Mapping[str, Any]
    labels: int
    seed: int
    method: str
    inputs_hash: str
    signature: str
    result: Any
    inputs: Mapping[str, str]
    recomputed: bool
    reason: str | None = None
    not_recomputed: Mapping[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class Listed:
    """A report of the release. `covers`: such as "5 of 6 clips" for a report on fewer clips than
    the release has. `not_counted`: people of its verdicts whose work doesn't count, because they
    are programs."""

    report: str
    title: str
    file: str
    signature: str
    reason: str
    recomputed: bool
    covers: str = ""
    not_counted: Sequence[str] = ()


@dataclass(frozen=True)
class LeftOut:
    """A report that the release was built without."""

    report: str
    title: str
    reason: str


@dataclass(frozen=True)
class Index:
    reports: Sequence[Listed]
    left_out: Sequence[LeftOut]


@dataclass(frozen=True)
class ReportInputs:
    """What a report was computed from: its parameters, and tables and vectors by name. Each method
    raises Unreadable for one that is missing or of another form."""

    folder: Folder
    report: StoredReport

    def __contains__(self, name: str) -> bool:
        return name in self.report.inputs

    def parameters(self, kind: type[Kind]) -> Kind:
        """Return the parameters, or those of them that `kind` has fields for."""
        made: Kind = self._parameters(reader_of(kind))
        return made

    def parameter(self, name: str, kind: type[Kind]) -> Kind:
        value: Kind = self._parameters(fields_reader({name: kind}))[0]
        return value

    def rows(self, name: str, kind: type[Kind]) -> Iterator[Kind]:
        """Yield the rows one by one, because there can be half a million of them."""
        return self._rows(name, reader_of(kind))

    def values(self, name: str, /, **kinds: Any) -> Iterator[Any]:
        """Yield the values of these columns as tuples."""
        return self._rows(name, fields_reader(kinds))

    def column(self, name: str, /, **kind: Any) -> list[Any]:
        """Return the values of this one column."""
        return [value for (value,) in self.values(name, **kind)]

    def vectors(self, name: str) -> Vectors:
        return self.folder.vectors(self._path(name))

    def _parameters(self, read: Read) -> Any:
        return read_under("parameters", read, self.report.parameters)

    def _rows(self, name: str, read: Read) -> Iterator[Any]:
        path = self._path(name)
        for number, row in enumerate(self.folder.lines(path), 1):
            try:
                yield read(row)
            except Mistyped as error:
                raise Unreadable(f"{path}, line {number}: {error}") from None

    def _path(self, name: str) -> str:
        if name not in self.report.inputs:
            raise Unreadable(f"The report names no {name} among its inputs.")
        return self.report.inputs[name]


def read_report(folder: Folder, name: str) -> StoredReport:
    return parsed(folder.json(name), StoredReport)


def report_from(content: bytes) -> StoredReport:
    """Return the report that a file of our own has."""
    return parsed(json.loads(content), StoredReport)
