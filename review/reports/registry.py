"""The kinds of reports that features register, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotate.models import Project
from annotate.programs import programs_of
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.results import OldResult


class UnknownReport(OldResult):
    """A report is stored under a name that no feature registers."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"This version of Vericap has no report “{name}”; it has {', '.join(REPORTS)}."
        )


def _nothing(*about: object) -> str:
    return ""


@dataclass(frozen=True)
class ReportKind:
    """One kind of report, with all that other features ask about it."""

    name: str
    title: str
    # Yields the inputs of each report of a project, one per subject.
    inputs: Callable[[Project], Iterable[Inputs]]
    # The dataclass that computing a subject returns, and as which its stored result is read: one
    # for all, or by the beginning of the subject.
    result: type[Any] | Mapping[str, type[Any]]
    # The key of the page with its numbers, if that isn't its name.
    page: str = ""
    # The names of the reports that it uses.
    follows: tuple[str, ...] = ()
    # It counts what people judged, and programs where the project says so.
    of_people: bool = False
    # The title of a report's subject on pages.
    subject: Callable[[Project, Report], str] = _nothing
    # What a report with these parameters is about, in the words of a release.
    about: Callable[[Any], str] = _nothing
    # Whether a current report is outdated, if that is quicker than comparing the inputs.
    is_old: Callable[[Project, Report], bool] | None = None
    # Its subject begins with the key of a caption set; `retired` returns the keys of the caption or
    # vector sets that pages no longer offer.
    is_of_captions: bool = False
    retired: Callable[[Project], set[int]] | None = None
    # The numbers of clips behind a result, and whether more would give its numbers intervals.
    clip_counts: Callable[[Any], Sequence[int]] | None = None
    has_intervals: bool = True
    # The keys of the clips that a report covers, if a release must have them all; None for a report
    # on whole videos.
    covered: Callable[[Report, Inputs], set[int] | None] | None = None

    def inputs_of(self, project: Project) -> Iterator[Inputs]:
        counts = self.of_people and project.counts_programs and bool(programs_of(project))
        for inputs in self.inputs(project):
            yield replace(inputs, counts_programs=True) if counts else inputs

    def result_of(self, subject: str) -> type[Any]:
        """Return the dataclass of the subject's result."""
        if isinstance(self.result, Mapping):
            return next(kind for start, kind in self.result.items() if subject.startswith(start))
        return self.result

    def title_of(self, parameters: object) -> str:
        """Return the title of a report with these parameters in a release."""
        return ", ".join(filter(None, [self.title, self.about(parameters)]))


REPORTS: dict[str, ReportKind] = {}


def register_report(kind: ReportKind) -> None:
    REPORTS[kind.name] = kind


def kind_of(name: str) -> ReportKind:
    """Return the kind of this name. Raises UnknownReport."""
    if name not in REPORTS:
        raise UnknownReport(name)
    return REPORTS[name]
