"""The results of unified scores and of relative gaps as they are stored and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from metrics.correlation import Correlation
from review.reports.models import Report
from review.reports.stored import StoredKind

# The prefixes of the two kinds of subjects.
SCORES, GAPS = "scores", "gaps"
STATISTICS = ("words", "objects", "events")
# direction -> the number of queries, and the gallery size
Counts = Mapping[str, Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class ScoreRow:
    """A model's score and its parts. `recall` and `capst`: the keys of the reports. `counts` is
    empty, and `clips` None, without such a report or if it lacks them.
    """

    model: str
    frames: str
    captions: str = ""
    recall: int | None
    capst: int | None
    counts: Counts = field(default_factory=dict)
    clips: int | None = None
    t2v: float | None
    v2t: float | None
    events: float | None
    objects: float | None
    retrieval: float | None
    caption: float | None
    value: float | None
    reason: str


@dataclass(frozen=True)
class UnifiedScores:
    """Every model's score, with one preset of CapST."""

    models: Sequence[ScoreRow]


@dataclass(frozen=True, kw_only=True)
class AverageRecall:
    """A model's average recall, and the key of the report."""

    model: str
    frames: str
    recall: int
    average: float | None
    counts: Counts = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class GapRow(AverageRecall):
    """A model's gap to the baseline, in each category, and its correlations by the names of
    STATISTICS.
    """

    percent: float | None
    reason: str
    categories: Mapping[str, float]
    correlations: Mapping[str, Correlation]


@dataclass(frozen=True)
class CategoryMeans:
    """The general captions of a category: their number, and their mean words, events and objects.
    Elements are None if no CapST report counted them.
    """

    captions: int
    words: float
    events: float | None
    objects: float | None

    def statistic(self, name: str) -> float | None:
        """`name`: of STATISTICS."""
        return {"words": self.words, "events": self.events, "objects": self.objects}[name]


@dataclass(frozen=True, kw_only=True)
class Gaps:
    """The gaps of all models to a baseline. `elements_from`: the key of the CapST report that
    counted the elements of `categories`.
    """

    baseline: AverageRecall
    models: Sequence[GapRow]
    categories: Mapping[str, CategoryMeans]
    elements_from: int | None = None


UNIFIED_SCORES = StoredKind(Report.Name.UNIFIED, UnifiedScores, f"{SCORES}:")
UNIFIED_GAPS = StoredKind(Report.Name.UNIFIED, Gaps, f"{GAPS}:")
UNIFIED_RESULTS = {kind.subjects: kind.numbers for kind in (UNIFIED_SCORES, UNIFIED_GAPS)}
