"""The page of one model's recall: every number, by category, with times and how it was made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotate.models import Membership, Project
from review.reports.models import Report
from review.reports.small_samples import few_clips_of
from review.retrieval.pages import recall_rows
from review.retrieval.queries import settings_of
from review.retrieval.report import T2V, V2T
from review.retrieval.rows import HUNDRED, KIND_NAMES, ModelRow, Recalls, recalls_of, row_of

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
    """`sources`: its captions by source. `without`: captions whose clip has no vector."""

    name: str
    sources: str
    recalls: Recalls
    ranks: tuple[float | None, float | None]
    without: int
    times: tuple[Times, Times]
    categories: list[CategoryRow]


def model_context(membership: Membership, report: Report) -> dict[str, Any]:
    """ReBias is shown beside the recall in force alone: an older one was not made with it."""
    project = membership.project
    newest = Report.objects.newest(project, report.name).filter(subject=report.subject).get()
    is_superseded = newest.pk != report.pk
    row = _alone(report) if is_superseded else _in_force(project, report)
    rebias = row.rebias_report
    return {
        "membership": membership,
        "project": project,
        "row": row,
        "report": report,
        "rebias_report": rebias,
        "warning": few_clips_of(report),
        "rebias_warning": few_clips_of(rebias) if rebias else "",
        "kinds": [_numbers(row, kind, report.result) for kind in row.recalls],
        **{
            name: HUNDRED * rebias.result[name] if rebias and name in rebias.result else None
            for name in ("spatial_mean", "temporal_mean")
        },
        "is_superseded": is_superseded,
        "newest": newest,
    }


def _in_force(project: Project, report: Report) -> ModelRow:
    """As the page Recall has it, which leaves out vectors that were removed."""
    rows = recall_rows(project, settings_of(project))
    return next((row for row in rows if row.report == report), _alone(report))


def _alone(report: Report) -> ModelRow:
    frames = report.parameters.get("frames", "from a file")
    return row_of(report.subject, report.parameters["model"], frames, report, None, is_old=False)


def _numbers(row: ModelRow, kind: str, result: dict[str, Any]) -> KindNumbers:
    ways = result["kinds"][kind]
    return KindNumbers(
        name=KIND_NAMES[kind],
        sources=row.sources.get(kind, ""),
        recalls=row.recalls[kind],
        ranks=(ways[T2V]["median_rank"], ways[V2T]["median_rank"]),
        without=result["without"][kind],
        times=(_times(ways[T2V]), _times(ways[V2T])),
        categories=_categories(ways),
    )


def _times(way: dict[str, Any]) -> Times:
    seconds = way["seconds"]
    return Times(THOUSAND * seconds["with_io"], THOUSAND * seconds["without_io"])


def _categories(ways: dict[str, Any]) -> list[CategoryRow]:
    """By name; a clip that no caption asks for is in none. Nothing where all are in one."""
    categories = ways[T2V]["by_category"]
    if len(categories) <= 1:
        return []
    return [
        CategoryRow(category or NO_CATEGORY, recalls_of(ways, category))
        for category in sorted(categories)
    ]
