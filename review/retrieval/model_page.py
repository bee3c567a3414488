"""The recall page of one model: every number, by category, with times and methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotate.models import Membership, Project
from review.reports.models import Report
from review.reports.results import result_of
from review.reports.small_samples import few_clips_of
from review.reports.tables import percent
from review.retrieval.pages import recall_rows
from review.retrieval.queries import settings_of
from review.retrieval.report import BothWays, FullWay, RecallResult
from review.retrieval.report_rebias import RebiasResult
from review.retrieval.rows import KIND_NAMES, ModelRow, Recalls, recalls_of, row_of

THOUSAND = 1000
NO_CATEGORY = "Without a category"


@dataclass(frozen=True)
class CategoryRow:
    name: str
    recalls: Recalls


@dataclass(frozen=True)
class Times:
    """Milliseconds."""

    with_io: float
    without_io: float


@dataclass(frozen=True)
class KindNumbers:
    """The numbers of one kind of caption. `sources`: its captions by source. `without`: captions
    whose clip has no vector.
    """

    name: str
    sources: str
    recalls: Recalls
    ranks: tuple[float | None, float | None]
    without: int
    times: tuple[Times, Times]
    categories: list[CategoryRow]


def model_context(membership: Membership, report: Report) -> dict[str, Any]:
    """Return the page's context. ReBias is shown only with the current recall, since it doesn't
    belong to an older one.
    """
    project = membership.project
    newest = Report.objects.newest(project, report.name).filter(subject=report.subject).get()
    is_superseded = newest.pk != report.pk
    row = _alone(report) if is_superseded else _in_force(project, report)
    rebias = row.rebias_report
    result = result_of(report, RecallResult)
    means = result_of(rebias, RebiasResult) if rebias else RebiasResult()
    return {
        "membership": membership,
        "project": project,
        "row": row,
        "report": report,
        "rebias_report": rebias,
        "warning": few_clips_of(report),
        "rebias_warning": few_clips_of(rebias) if rebias else "",
        "kinds": [_numbers(row, kind, result) for kind in row.recalls],
        "spatial_mean": percent(means.spatial_mean),
        "temporal_mean": percent(means.temporal_mean),
        "is_superseded": is_superseded,
        "newest": newest,
    }


def _in_force(project: Project, report: Report) -> ModelRow:
    """Return the report's row of the Recall page; without one, as for removed vectors, the report
    alone.
    """
    rows = recall_rows(project, settings_of(project))
    return next((row for row in rows if row.report == report), _alone(report))


def _alone(report: Report) -> ModelRow:
    frames = report.parameters.get("frames", "from a file")
    return row_of(report.subject, report.parameters["model"], frames, report, None, is_old=False)


def _numbers(row: ModelRow, kind: str, result: RecallResult) -> KindNumbers:
    ways = result.kinds[kind]
    return KindNumbers(
        name=KIND_NAMES[kind],
        sources=row.sources.get(kind, ""),
        recalls=row.recalls[kind],
        ranks=(ways.t2v.median_rank, ways.v2t.median_rank),
        without=result.without[kind],
        times=(_times(ways.t2v), _times(ways.v2t)),
        categories=_categories(ways),
    )


def _times(way: FullWay) -> Times:
    return Times(THOUSAND * way.seconds.with_io, THOUSAND * way.seconds.without_io)


def _categories(ways: BothWays) -> list[CategoryRow]:
    """Return the categories by name, without clips that no caption describes; empty if there is
    only one category.
    """
    categories = ways.t2v.by_category
    if len(categories) <= 1:
        return []
    return [
        CategoryRow(category or NO_CATEGORY, recalls_of(ways, category))
        for category in sorted(categories)
    ]
