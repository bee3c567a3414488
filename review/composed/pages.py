"""The Retrieval page: mAP@K of every model with vectors of the test clips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.http import QueryDict

from annotate.models import Membership, Project, Video
from inference.models import Embedding
from review.composed import NAME
from review.composed.chart import HUNDRED, MapChart, draw_map
from review.composed.computing import ComposedScores
from review.composed.files import map_table
from review.composed.forms import BASELINE_NAMES, SortForm
from review.composed.report import KIND, ComposedParameters, composed_retrieval_inputs
from review.composed.scoring import KS
from review.reports.cells import Cell, Column, Row, SortHead
from review.reports.files import Tables
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.results import convert, parameters_of, result_of
from review.reports.tables import Table
from review.triplets.models import ComposedQuery, TripletSet
from review.triplets.queries import newest_triplets, test_clips
from review.triplets.verification import verified_by_set

COLUMNS = tuple(Column(str(k), f"mAP@{k}", digits=2) for k in KS)


@dataclass(frozen=True)
class Part:
    """One model with one sampling of frames. `report` is None until something is computed. Without
    a report, or if the report has a `reason` instead of numbers, `numbers`, `table`, `unlimited`,
    `tfcovr` and `chart` are None; else the three tables have one row per baseline, by each way of
    counting right clips. `is_old`: the clips, vectors, triplets or verdicts have changed since.
    `left_out` counts test queries without a valid target.
    """

    subject: str
    model: str
    frames: str
    report: Report | None
    numbers: ComposedParameters | None
    is_old: bool
    table: Table | None
    unlimited: Table | None
    tfcovr: Table | None
    chart: MapChart | None
    left_out: int
    reason: str
    mend: str

    @property
    def anchor(self) -> str:
        return self.subject.replace(".", "-")


class RetrievalPage(ReportPage[None]):
    key = "retrieval"
    title = "Retrieval"
    template = "review/composed/retrieval.html"
    kinds = (KIND,)

    def context(
        self, membership: Membership, query: QueryDict, subject: None = None
    ) -> dict[str, Any]:
        context = _numbers(membership, SortForm(query))
        return context | {"state": self.state(membership.project)}

    def tables(self, membership: Membership, query: QueryDict, subject: None) -> Tables:
        return {"map": lambda: map_table(newest_reports(membership.project))}


def _numbers(membership: Membership, form: SortForm) -> dict[str, Any]:
    project = membership.project
    newest = newest_triplets(project)
    parts = _parts(project, form)
    return {
        "membership": membership,
        "project": project,
        "parts": parts,
        "verified_before": _verified_before(project, newest),
        "newest_set": newest.number if newest else None,
        "has_numbers": any(part.table for part in parts),
        "heads": _heads(form),
        "missing": "" if parts else _missing(project),
    }


def _verified_before(project: Project, newest: TripletSet | None) -> tuple[int, int] | None:
    """Return the set with the most verified test queries and their number, if it
    isn't the newest.
    """
    verified = verified_by_set(project, [Video.Split.TEST])
    if newest is None or not verified:
        return None
    most = max(verified, key=lambda number: (verified[number], number))
    is_newest = verified[most] == verified.get(newest.number)
    return None if is_newest else (most, verified[most])


def newest_reports(project: Project) -> list[Report]:
    """Return the current report of each model with numbers."""
    reports = Report.objects.newest(project, NAME).order_by("subject")
    return [report for report in reports if result_of(report, ComposedScores).baselines]


def _parts(project: Project, form: SortForm) -> list[Part]:
    reports = {report.subject: report for report in Report.objects.newest(project, NAME)}
    query_counts = _test_queries_by_set(project)
    parts = []
    for inputs in composed_retrieval_inputs(project):
        report = reports.pop(inputs.subject, None)
        is_old = report is not None and report.inputs_hash != inputs.hash
        of_setting = convert(inputs.stored_parameters, ComposedParameters)
        parts.append(_part(inputs.subject, of_setting, report, is_old, form, query_counts))
    # Reports that can't be recomputed, for example after the clips have lost their split.
    parts += [
        _part(subject, parameters_of(report, ComposedParameters), report, True, form, query_counts)
        for subject, report in sorted(reports.items())
    ]
    return parts


def _test_queries_by_set(project: Project) -> dict[int, int]:
    """Return the number of test queries by number of the set; a finished set keeps them."""
    queries = ComposedQuery.objects.filter(triplets__project=project, split=Video.Split.TEST)
    numbers = queries.order_by().values_list("triplets__number")
    return dict(numbers.annotate(n=Count("pk")))


def _part(
    subject: str,
    current: ComposedParameters,
    report: Report | None,
    is_old: bool,
    form: SortForm,
    asked: Mapping[int, int],
) -> Part:
    result = result_of(report, ComposedScores) if report else ComposedScores()
    has_numbers = report is not None and bool(_scores(result, "circo"))
    numbers = parameters_of(report, ComposedParameters) if report and has_numbers else None
    return Part(
        subject=subject,
        model=current.model,
        frames=current.frames,
        report=report,
        numbers=numbers,
        is_old=is_old,
        table=_table(result, "circo", report, numbers, form),
        unlimited=_table(result, "unlimited", report, numbers, form),
        tfcovr=_table(result, "tfcovr", report, numbers, form),
        chart=draw_map(_scores(result, "circo")) if has_numbers else None,
        left_out=asked.get(numbers.triplets, 0) - numbers.queries if numbers else 0,
        reason=result.reason,
        mend=result.mend,
    )


def _table(
    result: ComposedScores,
    convention: str,
    report: Report | None,
    numbers: ComposedParameters | None,
    form: SortForm,
) -> Table | None:
    if numbers is None:
        return None
    over = numbers.queries, numbers.gallery
    rows = tuple(
        Row(name, "", tuple(Cell(HUNDRED * score, report, over=over) for score in scores.values()))
        for name, scores in _scores(result, convention)
    )
    if not rows:
        return None
    table = Table(COLUMNS, rows)
    return table if form.k is None else table.sorted_by(str(form.k), form.is_ascending)


def _scores(result: ComposedScores, convention: str) -> list[tuple[str, dict[int, float]]]:
    """Return the name of each baseline and its mAP by K, 0 to 1, in the paper's order: PostgreSQL
    doesn't keep the order of JSON keys.
    """
    return [
        (name, {k: of_baseline.by(convention).map[k] or 0.0 for k in KS})
        for baseline, name in BASELINE_NAMES.items()
        if (of_baseline := result.baselines.get(baseline)) and of_baseline.by(convention).map
    ]


def _heads(form: SortForm) -> list[SortHead]:
    """Return the heads of the columns, each with its order and the link that sorts by it."""
    order = "ascending" if form.is_ascending else "descending"
    return [
        SortHead(
            column,
            starts=False,
            state=order if form.k == k else "",
            query=form.query(sort=k, ascending=form.k == k and not form.is_ascending),
        )
        for k, column in zip(KS, COLUMNS, strict=True)
    ]


def _missing(project: Project) -> str:
    """Return what to do first if there is nothing to compute from."""
    if newest_triplets(project) is None:
        return "triplets"
    if not test_clips(project).exists():
        return "split"
    if not Embedding.objects.filter(project=project, clip__isnull=False).exists():
        return "embed"
    return "test vectors"
