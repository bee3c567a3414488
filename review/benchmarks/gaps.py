"""Two models on several projects, each of which is a benchmark (CaReBench, appendix D)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Avg

from annotate.models import Caption, Project
from inference.queries import current_captions_of
from metrics.correlation import Correlation
from metrics.unified import gap_correlations, relative_gap
from review.capst import NAME as CAPST_NAME
from review.capst.results import CAPST, StoredCapst
from review.captions.model_facts import joined_by
from review.elements.lines import KINDS
from review.reports.models import Report
from review.retrieval import NAME as RECALL_NAME
from review.retrieval.results import RECALL, StoredRecall
from review.summary.computing import AverageRecall, average_recall, differing_galleries
from review.summary.loading import Loaded, load
from review.summary.report import ELEMENTS_PRESET, general_recall, mean_elements

NAMES = (RECALL_NAME, CAPST_NAME)
STATISTICS = {"words": "Words", "objects": "Objects", "events": "Actions"}
# Fewer benchmarks have no correlation.
MINIMUM = 3
UNITS = "benchmarks"


@dataclass(frozen=True)
class Model:
    """A model with one way of sampling frames; with another it is another row."""

    name: str
    frames: str

    @property
    def key(self) -> str:
        """The same in every project for the same model and frames."""
        return f"{joined_by(self.name)} | {joined_by(self.frames)}"

    @property
    def title(self) -> str:
        return f"{self.name} ({self.frames})"


@dataclass(frozen=True)
class Result:
    """The recall of a model in one project."""

    report: Report
    recall: AverageRecall
    is_old: bool


@dataclass(frozen=True)
class Benchmark:
    """A project with its models. `statistics`: the mean words of its current general captions, and
    the mean objects and events that CapST found in its human captions; None without any.
    `elements_from`: the report of CapST that counted these.
    """

    project: Project
    results: Mapping[str, Result]
    models: Mapping[str, Model]
    statistics: Mapping[str, float | None]
    elements_from: Report | None


@dataclass(frozen=True)
class Gap:
    """One benchmark in the tables. `percent`: the relative gap (Equation 4); if it is None,
    `reason` says why.
    """

    benchmark: Benchmark
    own: Result | None
    baseline: Result | None
    percent: float | None
    reason: str


def read_benchmark(project: Project) -> Benchmark:
    """Return the stored results of a project, with whether their inputs have changed since."""
    loaded = load(project, NAMES)
    results, models = {}, {}
    for stored in loaded.of(RECALL):
        result = _result(stored, loaded)
        if result.recall.average is None:
            continue
        model = Model(result.recall.model, result.recall.frames)
        models[model.key], results[model.key] = model, result
    words = current_captions_of(project, Caption.Kind.GENERAL).aggregate(mean=Avg("word_count"))
    source = _most_judged(loaded)
    elements: dict[str, float | None] = {
        kind: mean_elements(source.numbers if source else None, kind) for kind in KINDS
    }
    return Benchmark(
        project=project,
        results=results,
        models=models,
        statistics={"words": None if words["mean"] is None else float(words["mean"]), **elements},
        elements_from=source.report if source else None,
    )


def _result(stored: StoredRecall, loaded: Loaded) -> Result:
    return Result(
        stored.report, average_recall(general_recall(stored)), stored.report.pk in loaded.old
    )


def _most_judged(loaded: Loaded) -> StoredCapst | None:
    """Return the report of the preset default with the most clips."""
    return max(
        (
            stored
            for stored in loaded.of(CAPST)
            if stored.report.subject.endswith(f":{ELEMENTS_PRESET}")
        ),
        key=lambda stored: (stored.numbers.n_samples, stored.report.pk),
        default=None,
    )


def gap_on(benchmark: Benchmark, own: Model, baseline: Model) -> Gap:
    """Return the gap of the first model to the second on a benchmark, or why it's missing."""
    mine, theirs = benchmark.results.get(own.key), benchmark.results.get(baseline.key)
    missing = [model.title for model, result in ((own, mine), (baseline, theirs)) if result is None]
    if mine is None or theirs is None:
        reason = f"No recall by general captions of {' and '.join(missing)}."
        return Gap(benchmark, mine, theirs, None, reason)
    if unlike := differing_galleries(mine.recall.counts, theirs.recall.counts):
        return Gap(benchmark, mine, theirs, None, unlike)
    assert mine.recall.average is not None
    assert theirs.recall.average is not None
    gap = relative_gap(mine.recall.average, theirs.recall.average)
    return Gap(benchmark, mine, theirs, gap.percent, gap.reason)


def correlate(gaps: Sequence[Gap]) -> dict[str, Correlation]:
    """Correlate the gaps with each statistic, over the benchmarks that have both (Table 18)."""
    correlations: dict[str, Correlation] = {}
    for statistic in STATISTICS:
        pairs = [
            (gap.percent, number)
            for gap in gaps
            if gap.percent is not None
            and (number := gap.benchmark.statistics[statistic]) is not None
        ]
        correlations |= gap_correlations(
            [percent for percent, _ in pairs],
            {statistic: [number for _, number in pairs]},
            units=UNITS,
        )
    return correlations
