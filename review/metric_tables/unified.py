"""The unified score as CaReBench's Table 6, and relative gaps as its appendix D."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from review.metric_tables.loading import Loaded
from review.metric_tables.tables import Cell, Column, Row, Section, Table, percent
from review.models import Report
from review.queries.metric_reports import Name, Stored
from review.reports.recall import DIRECTIONS
from review.reports.unified import GAPS, SCORES, STATISTICS

NO_VECTORS = "captions only"
# Fewer have no correlation.
LEAST = 3


@dataclass(frozen=True)
class Baseline:
    """A model that others can be held against, by the subject of its report."""

    subject: str
    name: str


def baselines_of(loaded: Loaded) -> list[Baseline]:
    found = []
    for subject, one in loaded.of_subject(Name.UNIFIED).items():
        if subject.startswith(f"{GAPS}:"):
            model, frames = (one.numbers["baseline"][part] for part in ("model", "frames"))
            found.append(Baseline(subject, f"{model} ({frames})"))
    return sorted(found, key=lambda one: (one.name.casefold(), one.subject))


def unified_sections(loaded: Loaded, preset: str, baseline: str) -> Iterator[Section]:
    """`baseline`: the subject of a report, of which the page has made sure."""
    stored = loaded.of_subject(Name.UNIFIED)
    if scores := stored.get(f"{SCORES}:{preset}"):
        yield _scores(loaded, scores)
    if gaps := stored.get(baseline):
        yield _gaps(loaded, gaps)


def _scores(loaded: Loaded, stored: Stored) -> Section:
    report = stored.report
    columns = (
        Column("retrieval", "Avg. R@1", "Retrieval"),
        Column("caption", "Avg. F1", "Caption"),
        Column("unified", "Unified score", "Overall", drawn="first"),
    )
    rows = tuple(
        Row(
            row["model"],
            row["frames"] or NO_VECTORS,
            tuple(
                Cell(
                    percent(row[part]),
                    report,
                    reason=row["reason"],
                    over=_over(row) if part != "caption" else (),
                )
                for part in ("retrieval", "caption", "value")
            ),
            report.pk in loaded.old,
        )
        for row in stored.numbers["models"]
    )
    table = Table(columns, rows)
    return Section(
        key="unified",
        title="Unified score",
        paper="Table 6",
        unit="Percent: the mean of R@1 in both directions by general captions, the mean F1 of "
        "events and objects, and the mean of these two.",
        lead="unified",
        table=table,
        notes=(
            *table.notes,
            "Vectors and captions are one model’s where their names are equal but for capitals "
            "and spaces. Name them alike to join them.",
        ),
    )


def _gaps(loaded: Loaded, stored: Stored) -> Section:
    report, own = stored.report, stored.numbers["baseline"]
    columns = (
        Column("average", "Avg. recall"),
        Column("gap", "Gap", drawn="first"),
        *(
            Column(statistic, f"{statistic.capitalize()}", "Pearson’s r of the gap", 3, best="")
            for statistic in STATISTICS
        ),
    )
    rows = tuple(
        Row(
            row["model"],
            row["frames"],
            (
                Cell(percent(row["average"]), report, over=_over(row)),
                Cell(row["percent"], report, reason=row["reason"]),
                *(_correlation(row["correlations"][one], report) for one in STATISTICS),
            ),
            report.pk in loaded.old,
        )
        for row in stored.numbers["models"]
    )
    table = Table(columns, rows)
    return Section(
        key="gaps",
        title=f"Relative gap to {own['model']}",
        paper="Equation 4, Table 18",
        unit="Avg. recall in percent: the mean of R@1, 5 and 10 in both directions. The gap in "
        f"percent of that of {own['model']}, {percent(own['average']):.1f}.",
        lead="gap",
        table=table,
        notes=(*table.notes, *_unlike(stored), *_warnings(stored)),
    )


def _over(row: Mapping[str, Any]) -> tuple[int, ...]:
    """How many queries among how many things, in both directions; empty where there are none, and
    of a report that is older than these counts."""
    counts = row.get("counts") or {}
    return tuple(n for way in DIRECTIONS if way in counts for n in counts[way])


def _unlike(stored: Stored) -> tuple[str, ...]:
    """Which models have no gap, because their recall is of another gallery."""
    own = _over(stored.numbers["baseline"])
    names = [
        f"{row['model']} ({row['frames']})"
        for row in stored.numbers["models"]
        if own and _over(row) != own
    ]
    if not names:
        return ()
    return (f"No gap, for another number of queries or another gallery: {', '.join(names)}.",)


def _correlation(found: Mapping[str, Any], report: Report) -> Cell:
    return Cell(found["value"], report, found["low"], found["high"], found["reason"])


def _warnings(stored: Stored) -> tuple[str, ...]:
    """The paper correlates over seven benchmarks, a project is one."""
    categories = len(stored.numbers["categories"])
    if categories < LEAST:
        return (
            f"Pearson’s r needs {LEAST} categories with general captions; there "
            f"{'is' if categories == 1 else 'are'} {categories or 'none'}.",
        )
    said = {row["correlations"]["words"]["warning"] for row in stored.numbers["models"]}
    over = (
        f"Pearson’s r is over the {categories} categories of this project, where the paper has "
        "seven benchmarks: of the gap in each with the mean words, objects and events of its human "
        "captions."
    )
    return (over, "So few categories show little: see the intervals.") if any(said) else (over,)
