"""Tables 16 to 18 of CaReBench, with a row a benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.urls import reverse

from metrics.correlation import Correlation
from review.benchmarks.gaps import MINIMUM, STATISTICS, Gap, Model, Result, correlate
from review.reports.cells import Cell, Column, Row, percent
from review.reports.tables import Section, Table
from review.retrieval.directions import DIRECTIONS
from review.retrieval.sections import SIZE

OLD = (
    "Rows marked old: captions or vectors of the project have changed since. Recompute on its page "
    "Metrics."
)
NO_WORDS = "No current general caption."
NO_ELEMENTS = "CapST with the default settings has judged no captions here."


def gap_sections(gaps: Sequence[Gap], own: Model, baseline: Model) -> list[Section]:
    """Return the three tables; benchmarks with shorter captions come first, as in Table 17."""
    ordered = sorted(gaps, key=_by_words)
    return [
        _recalls(ordered, own, baseline),
        _gaps(ordered, own, baseline),
        _correlations(ordered, own, baseline),
    ]


def _by_words(gap: Gap) -> tuple[bool, float, str]:
    words = gap.benchmark.statistics["words"]
    return words is None, words or 0.0, gap.benchmark.project.name


def _recalls(gaps: Sequence[Gap], own: Model, baseline: Model) -> Section:
    names = own.name, baseline.name
    are_told_apart = names[0].casefold() != names[1].casefold()
    own_name, baseline_name = names if are_told_apart else (own.title, baseline.title)
    columns = (
        Column("own", own_name, "Avg. recall", digits=2, best="", drawn="first"),
        Column("baseline", baseline_name, "Avg. recall", digits=2, best="", drawn="second"),
        Column("size", SIZE, best="", is_size=True),
    )
    rows = tuple(
        _row(
            gap,
            (
                _recall(gap.own, own),
                _recall(gap.baseline, baseline),
                _size(gap.own or gap.baseline),
            ),
        )
        for gap in gaps
    )
    table = Table(columns, rows)
    return Section(
        key="table-16",
        title="Two models on several benchmarks",
        paper="Table 16",
        unit="In percent: the mean of R@1, R@5 and R@10 by general captions in both directions. "
        f"{own.title} and {baseline.title}.",
        lead="own",
        table=table,
        notes=(*table.notes, *([OLD] if any(row.is_old for row in rows) else [])),
    )


def _recall(result: Result | None, model: Model) -> Cell:
    if result is None:
        return Cell(reason=f"No recall by general captions of {model.title}.")
    return Cell(percent(result.recall.average), result.report, over=_over(result))


def _size(result: Result | None) -> Cell:
    over = _over(result) if result else ()
    return Cell(over[0] if over else None, result.report if result else None, over=over)


def _over(result: Result) -> tuple[int, ...]:
    """Return the queries and the gallery of the first direction, and those of the other if they
    differ.
    """
    sizes = [result.recall.counts[way] for way in DIRECTIONS if way in result.recall.counts]
    return tuple(n for size in dict.fromkeys(map(tuple, sizes)) for n in size)


def _gaps(gaps: Sequence[Gap], own: Model, baseline: Model) -> Section:
    columns = (
        Column("words", "Avg. words", best=""),
        Column("gap", "Relative gap (%)", digits=3, best="", drawn="first"),
        Column("objects", "Avg. objects", digits=2, best=""),
        Column("events", "Avg. actions", digits=2, best=""),
    )
    rows = []
    for gap in gaps:
        benchmark, report = gap.benchmark, gap.own.report if gap.own else None
        statistics, counted = benchmark.statistics, benchmark.elements_from
        rows.append(
            _row(
                gap,
                (
                    Cell(statistics["words"], reason=NO_WORDS),
                    Cell(gap.percent, report, reason=gap.reason),
                    Cell(statistics["objects"], counted, reason=NO_ELEMENTS),
                    Cell(statistics["events"], counted, reason=NO_ELEMENTS),
                ),
            )
        )
    return Section(
        key="table-17",
        title=f"Gap of {own.name} to {baseline.name}, and the captions of each benchmark",
        paper="Table 17",
        unit="The gap is in percent of the avg. recall of the baseline. Words: of the current "
        "general captions. Objects and actions: of the human captions, as CapST’s extractor "
        "found them.",
        lead="words",
        table=Table(columns, tuple(rows)),
        notes=tuple(
            f"{gap.benchmark.project.name}: no gap. {gap.reason}" for gap in gaps if gap.reason
        ),
    )


def _correlations(gaps: Sequence[Gap], own: Model, baseline: Model) -> Section:
    correlations = correlate(gaps)
    names = [gap.benchmark.project.name for gap in gaps if gap.percent is not None]
    columns = (
        Column("r", "Pearson’s r", digits=3, best=""),
        Column("p", "p", digits=3, best=""),
        Column("n", "Benchmarks", digits=0, best=""),
    )
    rows = tuple(
        Row(
            f"Gap and avg. {STATISTICS[statistic].lower()}",
            "",
            (
                Cell(
                    correlation.value, None, correlation.low, correlation.high, correlation.reason
                ),
                Cell(correlation.p, reason=correlation.reason),
                Cell(correlation.n),
            ),
        )
        for statistic, correlation in correlations.items()
    )
    return Section(
        key="table-18",
        title="Correlation of the gap with the captions",
        paper="Table 18",
        unit=f"Over the benchmarks that have both: the gap of {own.name} to {baseline.name}.",
        lead="r",
        table=Table(columns, rows),
        notes=(
            f"Benchmarks with a gap: {', '.join(names) or 'none'}.",
            *dict.fromkeys(_warnings(correlations)),
        ),
    )


def _warnings(correlations: Mapping[str, Correlation]) -> Iterator[str]:
    for statistic, correlation in correlations.items():
        if correlation.n < MINIMUM:
            yield f"Pearson’s r needs {MINIMUM} benchmarks with a gap and the statistic."
        elif correlation.value is None:
            yield f"{STATISTICS[statistic]}: {correlation.reason}"
        elif correlation.warning:
            yield correlation.warning


def _row(gap: Gap, cells: tuple[Cell, ...]) -> Row:
    project = gap.benchmark.project
    is_old = any(result.is_old for result in (gap.own, gap.baseline) if result)
    page = reverse("review:report_page", args=[project.slug, "metrics"])
    note = "simulated" if project.is_simulated else ""
    return Row(project.name, note, cells, is_old, page=page)
