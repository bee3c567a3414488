"""Unified scores of retrieval and captions, and relative gaps between models (CaReBench, section
5.4 and appendix D), from the numbers of reports on recall and CapST.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from metrics.correlation import Correlation
from metrics.unified import gap_correlations, relative_gap, unified_score
from review.retrieval.directions import DIRECTIONS, KS

UNITS = "categories"
STATISTICS = ("words", "objects", "events")
# direction -> (number of queries, gallery size)
Counts = Mapping[str, Sequence[int]]
SharesByWay = Mapping[str, Sequence[float | None]]


@dataclass(frozen=True, kw_only=True)
class GeneralRecall:
    """A model's recall by general captions, and the key of the report. By direction: `counts`, and
    `shares` at each K of KS, the same by category; all are empty without general captions.
    """

    model: str
    frames: str
    recall: int
    counts: Counts = field(default_factory=dict)
    shares: SharesByWay = field(default_factory=dict)
    by_category: Mapping[str, SharesByWay] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class JudgedCaptions:
    """A set of captions of a model: F1 of its events and objects, from `clips`, and the key of the
    CapST report.
    """

    captions: str
    model: str
    capst: int
    clips: int
    events: float | None
    objects: float | None


@dataclass(frozen=True, kw_only=True)
class ScoreRow:
    """A model's score and its parts. `recall` and `capst`: the keys of the reports. `counts` is
    empty, and `clips` None, without such a report.
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
        """Return the statistic with this name of STATISTICS."""
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


def score_models(
    rows: Sequence[tuple[GeneralRecall | None, JudgedCaptions | None]],
) -> UnifiedScores:
    """Return the score of each row, which has a model's recall, its captions, or both."""
    return UnifiedScores([_score(recall, judged) for recall, judged in rows])


def _score(recall: GeneralRecall | None, judged: JudgedCaptions | None) -> ScoreRow:
    source = recall or judged
    assert source is not None
    shares = recall.shares if recall else {}
    t2v, v2t = (shares[way][0] if shares else None for way in DIRECTIONS)
    events = judged.events if judged else None
    objects = judged.objects if judged else None
    score = unified_score(text_to_video=t2v, video_to_text=v2t, events=events, objects=objects)
    return ScoreRow(
        model=source.model,
        frames=recall.frames if recall else "",
        captions=judged.captions if judged else "",
        recall=recall.recall if recall else None,
        capst=judged.capst if judged else None,
        counts=recall.counts if recall else {},
        clips=judged.clips if judged else None,
        t2v=t2v,
        v2t=v2t,
        events=events,
        objects=objects,
        retrieval=score.retrieval,
        caption=score.caption,
        value=score.value,
        reason=score.reason,
    )


def compare_models(
    baseline: GeneralRecall,
    others: Sequence[GeneralRecall],
    of_categories: Mapping[str, CategoryMeans],
    elements_from: int | None,
) -> Gaps:
    """Return the gap of each of the `others` to the baseline. `elements_from`: the key of the CapST
    report that counted the elements.
    """
    return Gaps(
        baseline=average_recall(baseline),
        models=[_gap(other, baseline, of_categories) for other in others],
        categories=of_categories,
        elements_from=elements_from,
    )


def average_recall(recall: GeneralRecall) -> AverageRecall:
    """Return its mean recall, with the sizes behind it."""
    return AverageRecall(
        model=recall.model,
        frames=recall.frames,
        recall=recall.recall,
        average=average_of(recall.shares),
        counts=recall.counts,
    )


def average_of(shares: SharesByWay) -> float | None:
    """Return the paper's Avg Recall: the mean of six recalls, both directions at each K."""
    values = [share for way in DIRECTIONS for share in shares.get(way, ()) if share is not None]
    return None if len(values) < len(DIRECTIONS) * len(KS) else sum(values) / len(values)


def _gap(
    own: GeneralRecall, baseline: GeneralRecall, of_categories: Mapping[str, CategoryMeans]
) -> GapRow:
    """Return the gap in percent of the baseline, in each category, and its correlations over these.
    None if the two differ in the number of queries or the gallery size.
    """
    mine, theirs = average_recall(own), average_recall(baseline)
    assert mine.average is not None
    assert theirs.average is not None
    gap_of_all = relative_gap(mine.average, theirs.average)
    unlike = differing_galleries(mine.counts, theirs.counts)
    here, there = ({} if unlike else _averages(recall) for recall in (own, baseline))
    gaps = {
        name: gap.percent
        for name in sorted(here.keys() & there.keys() & of_categories.keys())
        if (gap := relative_gap(here[name], there[name])).percent is not None
    }
    correlations: dict[str, Correlation] = {}
    for statistic in STATISTICS:
        means = {
            name: mean
            for name in gaps
            if (mean := of_categories[name].statistic(statistic)) is not None
        }
        correlations |= gap_correlations(
            [gaps[name] for name in means], {statistic: list(means.values())}, units=UNITS
        )
    return GapRow(
        **vars(mine),
        percent=None if unlike else gap_of_all.percent,
        reason=unlike or gap_of_all.reason,
        categories=gaps,
        correlations=correlations,
    )


def differing_galleries(mine: Counts, theirs: Counts) -> str:
    """Return why two recalls aren't comparable; empty if they are."""
    for way in DIRECTIONS:
        if mine[way] != theirs[way]:
            (queries, gallery), (others, among) = mine[way], theirs[way]
            return (
                f"The recall of {queries} queries among {gallery} is not comparable with the "
                f"baseline’s recall of {others} queries among {among}."
            )
    return ""


def _averages(recall: GeneralRecall) -> dict[str, float]:
    """Return the mean recall of each category that has all six."""
    means = {name: average_of(shares) for name, shares in recall.by_category.items()}
    return {name: mean for name, mean in means.items() if mean is not None}
