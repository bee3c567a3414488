"""The page of one model's recall: every number, by category, with times and how it was made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotate.models import Membership
from review.models import Report
from review.queries.vectors import GALLERY_OF
from review.recall.rows import HUNDRED, KIND_NAMES, ModelRow, Recalls, recalls_of, row_of
from review.reports.recall import T2V, V2T

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
    """`without`: captions whose clip has no vector."""

    name: str
    recalls: Recalls
    ranks: tuple[float | None, float | None]
    without: int
    times: tuple[Times, Times]
    categories: list[CategoryRow]


def model_context(membership: Membership, report: Report) -> dict[str, Any]:
    project = membership.project
    rebias = (
        Report.objects.newest(project, Report.Name.REBIAS).filter(subject=report.subject).first()
    )
    newest = Report.objects.newest(project, report.name).filter(subject=report.subject).get()
    return {
        "membership": membership,
        "project": project,
        "row": _row(report, rebias),
        "report": report,
        "rebias_report": rebias,
        "kinds": [
            _numbers(KIND_NAMES[kind], report.result["kinds"][kind], report.result["without"][kind])
            for kind in GALLERY_OF
            if kind in report.result["kinds"]
        ],
        **{
            name: HUNDRED * rebias.result[name] if rebias and name in rebias.result else None
            for name in ("spatial_mean", "temporal_mean")
        },
        "is_superseded": newest.pk != report.pk,
        "newest": newest,
    }


def _row(report: Report, rebias: Report | None) -> ModelRow:
    frames = report.parameters.get("frames", "from a file")
    return row_of(report.subject, report.parameters["model"], frames, report, rebias, False)


def _numbers(name: str, ways: dict[str, Any], without: int) -> KindNumbers:
    return KindNumbers(
        name=name,
        recalls=recalls_of(ways),
        ranks=(ways[T2V]["median_rank"], ways[V2T]["median_rank"]),
        without=without,
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
