"""The recall page of one model: every number, by category, with times and methods."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotate.models import Membership, Project
from review.reports.cells import Cell, Column, Row, percent
from review.reports.models import Report
from review.reports.results import parameters_of, result_of
from review.reports.tables import Table
from review.reports.warnings import small_sample_warning_of
from review.retrieval.computing import BothWays, RebiasResult
from review.retrieval.counts import current_counts
from review.retrieval.directions import DIRECTIONS
from review.retrieval.pages import recall_rows
from review.retrieval.results import RecallResult, VectorParameters
from review.retrieval.rows import KIND_NAMES, ModelRow, stored_row
from review.retrieval.sections import WAY_NAMES, share_cells, way_columns
from review.retrieval.time_table import time_table

NO_CATEGORY = "Without a category"
WAY_COLUMNS = (*way_columns(WAY_NAMES, best=""),)
COLUMNS = (
    *WAY_COLUMNS,
    Column("rank_t2v", "to video", "Median rank", best=""),
    Column("rank_v2t", "to text", "Median rank", best=""),
)


@dataclass(frozen=True)
class KindNumbers:
    """The numbers of one kind of caption. `without`: captions whose clip has no vector.
    `by_category`: recalls of each category, if there are several.
    """

    name: str
    without: int
    by_category: Table | None


def model_context(membership: Membership, report: Report) -> dict[str, Any]:
    """Return the page's context. ReBias is shown only with the current recall, since it doesn't
    belong to an older one.
    """
    project = membership.project
    newest = Report.objects.newest(project, report.name).filter(subject=report.subject).get()
    is_superseded = newest.pk != report.pk
    alone = stored_row(report, None, is_old=False)
    row = alone if is_superseded else _current(project, alone)
    rebias = row.rebias_report
    result = result_of(report, RecallResult)
    means = result_of(rebias, RebiasResult) if rebias else RebiasResult()
    return {
        "membership": membership,
        "project": project,
        "row": row,
        "report": report,
        "parameters": parameters_of(report, VectorParameters),
        "rebias_report": rebias,
        "warning": small_sample_warning_of(report),
        "rebias_warning": small_sample_warning_of(rebias) if rebias else "",
        "table": Table(COLUMNS, tuple(_row(row, kind, result) for kind in row.recalls)),
        "kinds": [_numbers(kind, result) for kind in row.recalls],
        "times": time_table(result, list(row.recalls)) if row.recalls else None,
        "spatial_mean": percent(means.spatial_mean),
        "temporal_mean": percent(means.temporal_mean),
        "is_superseded": is_superseded,
        "newest": newest,
    }


def _current(project: Project, alone: ModelRow) -> ModelRow:
    """Return the report's row of the Recall page; without one, as for removed vectors, the report
    alone.
    """
    rows = recall_rows(project, current_counts(project))
    return next((row for row in rows if row.report == alone.report), alone)


def _row(row: ModelRow, kind: str, result: RecallResult) -> Row:
    """Return the recalls and median ranks of a kind of caption."""
    ways = result.kinds[kind]
    ranks = (Cell(ways.way(name).median_rank) for name in DIRECTIONS)
    return Row(KIND_NAMES[kind], row.sources.get(kind, ""), (*_recalls(ways), *ranks))


def _recalls(ways: BothWays, category: str | None = None) -> Iterator[Cell]:
    for name in DIRECTIONS:
        way = ways.way(name)
        shares = way if category is None else way.by_category[category]
        yield from share_cells(shares, way.n_gallery, reason=way.reason)


def _numbers(kind: str, result: RecallResult) -> KindNumbers:
    ways = result.kinds[kind]
    return KindNumbers(
        name=KIND_NAMES[kind],
        without=result.without[kind],
        by_category=_by_category(ways),
    )


def _by_category(ways: BothWays) -> Table | None:
    """Return a row for each category by name, without clips that no caption describes; None if
    there is only one category. The gallery is always the whole one.
    """
    categories = ways.t2v.by_category
    if len(categories) <= 1:
        return None
    return Table(
        WAY_COLUMNS,
        tuple(
            Row(category or NO_CATEGORY, "", tuple(_recalls(ways, category)))
            for category in sorted(categories)
        ),
    )
