"""The reports that features register, by name: what is computed from a project's stored labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Project
from review.reports.inputs import Inputs


@dataclass(frozen=True)
class ReportKind:
    """One kind of report.

    `inputs` yields what each report of a project is computed from, one per subject. `result` is the
    dataclass that its computation returns, and that its stored result is read as. `follows`
    names the reports that it is itself computed from. `retired` gives the keys of the caption or
    vector sets that pages no longer offer. `clip_counts` says on how many clips the numbers of a
    result rest; `has_intervals` says whether more clips would give them intervals.
    """

    name: str
    inputs: Callable[[Project], Iterable[Inputs]]
    result: type[Any] = dict
    follows: tuple[str, ...] = ()
    retired: Callable[[Project], set[int]] | None = None
    clip_counts: Callable[[Any], Sequence[int]] | None = None
    has_intervals: bool = True


REPORTS: dict[str, ReportKind] = {}


def register_report(kind: ReportKind) -> None:
    """Make a report known; each feature does so once, when the app is ready."""
    REPORTS[kind.name] = kind
