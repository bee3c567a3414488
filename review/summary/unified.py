"""The unified score as in CaReBench's Table 6, and relative gaps as in its appendix D."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metrics.correlation import Correlation
from review.reports.cells import Cell, Column, Row, percent
from review.reports.models import Report
from review.reports.tables import Section, Table
from review.retrieval.directions import DIRECTIONS
from review.retrieval.sections import SIZE, WAY_NAMES
from review.summary.captioning import UNEVEN, best_of
from review.summary.computing import STATISTICS, AverageRecall, ScoreRow
from review.summary.loading import Loaded
from review.summary.results import SCORES, UNIFIED_GAPS, UNIFIED_SCORES, StoredGaps, StoredScores

NO_VECTORS = "captions only"
MAX_NAMED = 5
# Fewer categories have no correlation.
MINIMUM = 3


@dataclass(frozen=True)
class Baseline:
    """A model that others can be compared to, by the subject of its report."""

    subject: str
    name: str


def baselines_of(loaded: Loaded) -> list[Baseline]:
    baselines = []
    for subject, stored in loaded.of_subject(UNIFIED_GAPS).items():
        own = stored.numbers.baseline
        baselines.append(Baseline(subject, f"{own.model} ({own.frames})"))
    return sorted(baselines, key=lambda baseline: (baseline.name.casefold(), baseline.subject))


def unified_sections(loaded: Loaded, preset: str, baseline: str) -> Iterator[Section]:
    """Return the sections; `baseline` is the subject of a report, checked by the page."""
    if scores := loaded.of_subject(UNIFIED_SCORES).get(f"{SCORES}:{preset}"):
        yield _scores(loaded, scores)
    if gaps := loaded.of_subject(UNIFIED_GAPS).get(baseline):
        yield _gaps(loaded, gaps)


def _scores(loaded: Loaded, stored: StoredScores) -> Section:
    report, models = stored.report, stored.numbers.models
    best = best_of([row.clips for row in models if row.clips])
    columns = (
        Column("retrieval", "Avg. R@1", "Retrieval"),
        *(
            Column(way, name, SIZE, digits=0, best="", is_size=True)
            for way, name in WAY_NAMES.items()
        ),
        Column("caption", "Avg. F1", "Captions", best=best),
        Column("clips", "Clips", "Captions", digits=0, best=""),
        Column("unified", "Unified score", "Overall", best=best, drawn="first"),
    )

    def cells(row: ScoreRow) -> Iterator[Cell]:
        over, reason = _over(row), row.reason
        yield Cell(percent(row.retrieval), report, reason=reason, over=over)
        for start in range(0, 2 * len(WAY_NAMES), 2):
            size = over[start : start + 2]
            yield Cell(size[0] if size else None, report, reason=reason, over=size)
        yield Cell(percent(row.caption), report, reason=reason, clips=row.clips)
        yield Cell(row.clips, report, reason=reason)
        yield Cell(percent(row.value), report, reason=reason, over=over, clips=row.clips)

    is_old = report.pk in loaded.old
    by_name = {instructions.name: instructions for instructions in loaded.asked.values()}
    rows = tuple(
        Row(row.model, _note(row), tuple(cells(row)), is_old, by_name.get(row.captions))
        for row in models
    )
    table = Table(columns, rows)
    return Section(
        key="unified",
        title="Unified score",
        paper="Table 6",
        unit="In percent: the mean R@1 of both directions by general captions, the mean F1 of "
        "events and objects, and the mean of these two.",
        lead="unified",
        table=table,
        notes=(*table.notes, *(() if best else (UNEVEN,)), *_halves(models)),
    )


def _note(row: ScoreRow) -> str:
    """Return the sampling of frames, and the name of the captions if it differs from
    the model's.
    """
    captions, notes = row.captions, [row.frames or NO_VECTORS]
    if captions and captions.casefold() != row.model.casefold():
        notes.append(f"captions “{captions}”")
    return ", ".join(notes)


def _halves(models: Sequence[ScoreRow]) -> Iterator[str]:
    """Return which models have no score, and how the two halves of a score are matched."""
    without = {
        "captions": [row.model for row in models if row.capst is None],
        "vectors": [row.model for row in models if row.recall is None],
    }
    for half, models_without in without.items():
        if names := dict.fromkeys(models_without):
            judged = " have a CapST result" if half == "captions" else " were found"
            yield f"No {half} named {_listed(list(names))}{judged}."
    if any(without.values()):
        yield (
            "Captions from a run belong to the model of the run. Imported captions belong to the "
            "vectors with the same name; capitals and spaces are ignored. To join the captions "
            "and vectors of one model, give them the same name. Admins name models on the page "
            "Models, and files when they import them."
        )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMED
    return f"{', '.join(names[:MAX_NAMED])}{f' and {more} more' if more > 0 else ''}"


def _gaps(loaded: Loaded, stored: StoredGaps) -> Section:
    report, own = stored.report, stored.numbers.baseline
    columns = (
        Column("average", "Avg. recall"),
        Column("gap", "Gap", drawn="first"),
        *(
            Column(statistic, statistic.capitalize(), "Pearson’s r of the gap", 3, best="")
            for statistic in STATISTICS
        ),
    )
    rows = tuple(
        Row(
            row.model,
            row.frames,
            (
                Cell(percent(row.average), report, over=_over(row)),
                Cell(
                    row.percent,
                    report,
                    reason=row.reason,
                    over=_over(row),
                ),
                *(_correlation(row.correlations[statistic], report) for statistic in STATISTICS),
            ),
            report.pk in loaded.old,
        )
        for row in stored.numbers.models
    )
    table = Table(columns, rows)
    return Section(
        key="gaps",
        title=f"Relative gap to {own.model}",
        paper="Equation 4, Table 18",
        unit="Avg. recall in percent is the mean of R@1, R@5 and R@10 in both directions. The gap "
        f"is in percent of the avg. recall of {own.model}, "
        f"{percent(own.average):.1f}{_asked(own)}.",
        lead="gap",
        table=table,
        notes=(*table.notes, *_unlike(stored), *_warnings(stored)),
    )


def _over(row: ScoreRow | AverageRecall) -> tuple[int, ...]:
    """Return the numbers of queries and the gallery sizes, in both directions; empty without
    queries."""
    return tuple(n for way in DIRECTIONS if way in row.counts for n in row.counts[way])


def _asked(row: AverageRecall) -> str:
    over = _over(row)
    sizes = dict.fromkeys(zip(over[::2], over[1::2], strict=True))
    sizes_text = " and ".join(f"{queries} queries among {gallery}" for queries, gallery in sizes)
    return f" ({sizes_text})" if sizes_text else ""


def _unlike(stored: StoredGaps) -> tuple[str, ...]:
    """Return which models have no gap, because their recall has another gallery."""
    own = _over(stored.numbers.baseline)
    names = [
        f"{row.model} ({row.frames})" for row in stored.numbers.models if own and _over(row) != own
    ]
    if not names:
        return ()
    return (f"No gap, because the number of queries or the gallery differs: {_listed(names)}.",)


def _correlation(correlation: Correlation, report: Report) -> Cell:
    return Cell(correlation.value, report, correlation.low, correlation.high, correlation.reason)


def _warnings(stored: StoredGaps) -> tuple[str, ...]:
    """Return warnings. The paper correlates over seven benchmarks; a project is one."""
    categories = len(stored.numbers.categories)
    if categories < MINIMUM:
        return (
            f"Pearson’s r needs {MINIMUM} categories with general captions; there "
            f"{'is' if categories == 1 else 'are'} {categories or 'none'}.",
        )
    warnings = {row.correlations["words"].warning for row in stored.numbers.models}
    over = (
        f"Pearson’s r is between the gap in each category and the mean words, objects and events "
        f"of its human captions. This project has {categories} categories; the paper uses seven "
        "benchmarks instead."
    )
    return (
        (over, "With so few categories r is very uncertain: see the intervals.")
        if any(warnings)
        else (over,)
    )
