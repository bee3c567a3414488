"""The reports that features register, by name: how to compute each from a project's stored
labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Project
from review.reports.inputs import Inputs


@dataclass(frozen=True)
class ReportKind:
    """One kind of report.

    `inputs` yields what each report of a project is computed from, one per subject. `result` gives
    the dataclass that the computation of a subject returns, and that its stored result is read as:
    the same for all, or by how the subject begins. `follows`
    names the reports that it is itself computed from. `retired` gives the keys of the caption or
    vector sets that pages no longer offer. `clip_counts` says on how many clips the numbers of a
    result rest; `has_intervals` says whether more clips would give them intervals.
    """

    name: str
    inputs: Callable[[Project], Iterable[Inputs]]
    result: type[Any] | Mapping[str, type[Any]]
    follows: tuple[str, ...] = ()
    retired: Callable[[Project], set[int]] | None = None
    clip_counts: Callable[[Any], Sequence[int]] | None = None
    has_intervals: bool = True

    def result_of(self, subject: str) -> type[Any]:
        """Return the dataclass of the subject's result."""
        if isinstance(self.result, Mapping):
            return next(kind for start, kind in self.result.items() if subject.startswith(start))
        return self.result


REPORTS: dict[str, ReportKind] = {}


def register_report(kind: ReportKind) -> None:
    """Make a report known; each feature does so once, when the app is ready."""
    REPORTS[kind.name] = kind
