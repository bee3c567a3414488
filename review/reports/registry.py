"""The reports that features register, by name: how to compute each from a project's stored
labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotate.models import Project
from annotate.programs import programs_of
from review.reports.inputs import Inputs


@dataclass(frozen=True)
class ReportKind:
    """One kind of report.

    `inputs` yields the inputs of each report of a project, one per subject. `result` is the
    dataclass that computing a subject returns, and as which its stored result is read: one for all,
    or by the beginning of the subject. `follows` names the reports that it uses. `retired` returns
    the keys of the caption or vector sets that pages no longer offer. `clip_counts` returns the
    numbers of clips behind a result; `has_intervals` says whether more clips would give its numbers
    intervals. `of_people`: it counts what people judged, and programs where the project says so.
    """

    name: str
    inputs: Callable[[Project], Iterable[Inputs]]
    result: type[Any] | Mapping[str, type[Any]]
    follows: tuple[str, ...] = ()
    retired: Callable[[Project], set[int]] | None = None
    clip_counts: Callable[[Any], Sequence[int]] | None = None
    has_intervals: bool = True
    of_people: bool = False

    def inputs_of(self, project: Project) -> Iterator[Inputs]:
        counts = self.of_people and project.counts_programs and bool(programs_of(project))
        for inputs in self.inputs(project):
            yield replace(inputs, counts_programs=True) if counts else inputs

    def result_of(self, subject: str) -> type[Any]:
        """Return the dataclass of the subject's result."""
        if isinstance(self.result, Mapping):
            return next(kind for start, kind in self.result.items() if subject.startswith(start))
        return self.result


REPORTS: dict[str, ReportKind] = {}


def register_report(kind: ReportKind) -> None:
    """Register a report; each feature does so once, when the app is ready."""
    REPORTS[kind.name] = kind
