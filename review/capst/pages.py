"""The CapST page: the results of each model as in the paper's Tables 2 and 3, and the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import render

from annotate.access import UserRequest
from annotate.models import Membership, Project
from annotate.models.jobs import Job
from metrics.capst import differences
from metrics.capst.estimate import BranchScores
from review.capst.forms import (
    PRESET_NAMES,
    FindForm,
    JudgeForm,
    PresetForm,
    PromptsForm,
    judges_of,
    sets_of,
)
from review.capst.queries import latest_capst_runs, outdated_results, prompts_in_use
from review.capst.report import KIND, finished_runs
from review.capst.results import (
    CAPST,
    CapstNumbers,
    CapstParameters,
    StoredCapst,
    branch_of,
)
from review.captions.instructions import instructions_of_sets
from review.captions.models import CaptionSet
from review.elements.lines import KINDS
from review.elements.queries import elements_progress
from review.reports.cells import percent
from review.reports.instructions import Instructions, theme_notice
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.small_samples import shown_estimate, small_sample_warning
from review.reports.state import ASKED_FOR
from review.reports.stored import current_reports

TITLES = {"events": "Events", "objects": "Objects"}
TABLES = {"events": "Table 2", "objects": "Table 3"}


@dataclass(frozen=True)
class Cell:
    """F1, recall and precision in percent, None if undefined; `reason` says why. `low` and `high`
    are the ends of F1's interval, or None. `n_recall` and `n_precision`: the number of clips behind
    each; F1 needs both.
    """

    f1: float | None
    recall: float | None
    precision: float | None
    low: float | None
    high: float | None
    reason: str
    n_recall: int
    n_precision: int

    @property
    def is_uneven(self) -> bool:
        return self.n_recall != self.n_precision

    @property
    def width(self) -> float:
        """Return the width of the interval, to draw it."""
        return 0.0 if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True)
class ModelRow:
    """One model. `cells`: (category, its numbers) for each category of the table, None if the model
    has no caption in it.
    """

    name: str
    asked: Instructions | None
    report: Report
    parameters: CapstParameters
    numbers: CapstNumbers
    cells: list[tuple[str, Cell | None]]
    overall: Cell
    outdated: int


@dataclass(frozen=True)
class Table:
    kind: str
    title: str
    paper: str
    categories: list[str]
    rows: list[ModelRow]

    @property
    def is_uneven(self) -> bool:
        return any(
            cell.is_uneven
            for row in self.rows
            for cell in (*(cell for _, cell in row.cells), row.overall)
            if cell
        )

    @property
    def warning(self) -> str:
        """Return a warning if a model's numbers are based on few clips, or ""."""
        return small_sample_warning(
            [n for row in self.rows for n in (row.overall.n_recall, row.overall.n_precision)]
        )


class CapstPage(ReportPage[None]):
    """The CapST page; `preset` in the URL selects the settings."""

    key = "capst"
    title = "CapST"
    template = "review/capst/capst.html"
    kinds = (KIND,)
    due_words = ASKED_FOR

    def context(
        self,
        membership: Membership,
        query: QueryDict,
        subject: None = None,
        *,
        form: JudgeForm | None = None,
        find_form: FindForm | None = None,
        prompts_form: PromptsForm | None = None,
    ) -> dict[str, Any]:
        """`form`, `find_form` and `prompts_form`: invalid forms, shown again."""
        context = _context(membership, PresetForm(query).chosen, form, find_form)
        context["prompts_form"] = prompts_form or PromptsForm()
        context["loaded_prompts"] = prompts_in_use(membership.project)
        return context | self.state_context(membership)

    def state_context(self, membership: Membership) -> dict[str, Any]:
        """Return the runs and the state, which the page polls while either is in progress."""
        state = self.state(membership.project)
        runs = latest_capst_runs(membership.project)
        return {
            "project": membership.project,
            "membership": membership,
            "state": state,
            "runs": runs,
            "is_busy": state.is_busy or any(run.run.is_active for run in runs),
        }

    def live(self, request: UserRequest, membership: Membership, subject: None) -> HttpResponse:
        context = self.state_context(membership)
        response = render(request, "review/capst/state.html", context)
        if not context["is_busy"]:
            response["HX-Refresh"] = "true"
        return response


PAGE = CapstPage()


def _context(
    membership: Membership, preset: str, form: JudgeForm | None, find_form: FindForm | None
) -> dict[str, Any]:
    project = membership.project
    models, caption_sets = judges_of(project), sets_of(project)
    current = _current(project, caption_sets)
    reports = [judged for judged in current if judged.parameters.preset == preset]
    chosen = {"preset": preset}
    every = instructions_of_sets(project, {set_of(report.report) for report in reports})
    instructions = {report.report.pk: every[set_of(report.report)] for report in reports}
    outdated = outdated_results(project, current)
    stale = [judged for judged in outdated if not judged.is_handled]
    return {
        "preset": preset,
        "presets": PRESET_NAMES.items(),
        "tables": _tables(
            reports, {judged.report.pk: judged.clips for judged in outdated}, instructions
        ),
        "asked_models": list(instructions.values()),
        "asked_notice": theme_notice(instructions.values()),
        "reports": [report.report for report in reports],
        "judges": _ways(reports),
        "stale": stale,
        "stale_reports": {judged.report.pk for judged in stale},
        "uncomputed": _uncomputed(project, preset, reports),
        "progress": elements_progress(project, preset),
        "models": models,
        "caption_sets": caption_sets,
        "form": form or JudgeForm(models=models, caption_sets=caption_sets, initial=chosen),
        "find_form": find_form or FindForm(models=models, initial=chosen),
        "differences": differences(),
    }


def _current(project: Project, in_use: Sequence[CaptionSet]) -> list[StoredCapst]:
    """Return the current reports of each set of captions in use, by name of the set."""
    keys = {run.pk for run in in_use}
    reports = [report for report in current_reports(project, CAPST) if report.about in keys]
    return sorted(reports, key=lambda stored: (stored.parameters.captions, stored.report.subject))


def _ways(reports: Sequence[StoredCapst]) -> list[tuple[str, str]]:
    """Return (extractor, judge) of these reports. Numbers by different ones aren't comparable."""
    return sorted({(asked.parameters.extractor, asked.parameters.judge) for asked in reports})


def _uncomputed(project: Project, preset: str, reports: Sequence[StoredCapst]) -> list[str]:
    """Return the sets whose newest finished run can be computed but has no report yet."""
    computed = {report.numbers.run for report in reports}
    return [
        str(run.caption_set)
        for run in finished_runs(project)
        if run.preset == preset and run.state == Job.State.DONE and run.pk not in computed
    ]


def set_of(report: Report) -> int:
    """Return the key of the set of captions of a CapST report."""
    return int(report.subject.partition(":")[0])


def _tables(
    reports: Sequence[StoredCapst], outdated: Mapping[int, int], asked: Mapping[int, Instructions]
) -> list[Table]:
    """Return the tables. By report, `outdated` counts its outdated clips, and `asked` has its
    model's instructions.
    """
    if not reports:
        return []
    categories = sorted({name for report in reports for name in report.numbers.by_category})
    return [
        Table(
            kind,
            TITLES[kind],
            TABLES[kind],
            [_called(name) for name in categories],
            [
                _row(
                    report,
                    kind,
                    categories,
                    outdated.get(report.report.pk, 0),
                    asked[report.report.pk],
                )
                for report in reports
            ],
        )
        for kind in KINDS
    ]


def _row(
    stored: StoredCapst, kind: str, categories: Sequence[str], outdated: int, asked: Instructions
) -> ModelRow:
    numbers, by_category = stored.numbers, stored.numbers.by_category
    return ModelRow(
        name=stored.parameters.captions,
        asked=asked,
        report=stored.report,
        parameters=stored.parameters,
        numbers=numbers,
        cells=[
            (
                _called(name),
                cell_of(branch_of(by_category[name], kind)) if name in by_category else None,
            )
            for name in categories
        ],
        overall=cell_of(branch_of(numbers, kind)),
        outdated=outdated,
    )


def _called(category: str) -> str:
    return category or "No category"


def cell_of(branch: BranchScores) -> Cell:
    """Return the cell with the numbers of events or objects from metrics.capst."""
    recall, precision = branch.recall, branch.precision
    f1 = shown_estimate(branch.f1, min(recall.n, precision.n))
    return Cell(
        f1=percent(f1.value),
        recall=percent(recall.value),
        precision=percent(precision.value),
        low=percent(f1.low),
        high=percent(f1.high),
        reason=recall.reason if recall.value is None else precision.reason,
        n_recall=recall.n,
        n_precision=precision.n,
    )
