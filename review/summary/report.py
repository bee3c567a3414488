"""Unified scores of retrieval and captions, and relative gaps between models (CaReBench, section
5.4 and appendix D), computed only from stored reports of recall and CapST.

There are two kinds of subjects. "scores:" with a CapST preset has every model's score. "gaps:" with
the subject of a recall report has every other model's gap to that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

from django.db.models import Avg, Count

from annotate.models import Caption, Project
from inference.queries import captions_in_force
from metrics.capst import PRESETS
from metrics.capst.scores import CategoryScores
from metrics.correlation import Correlation
from metrics.unified import VERSION, gap_correlations, relative_gap, unified_score
from review.capst.results import CAPST, StoredCapst, branch_of
from review.captions.instructions import instructions_of_sets
from review.captions.model_facts import joined_by
from review.captions.models import CaptionSet
from review.elements.lines import KINDS
from review.reports.inputs import Inputs
from review.reports.instructions import summary_for_signature
from review.reports.models import Report
from review.reports.stored import AnyStored, Stored, reports_in_use
from review.retrieval.computing import BothWays, Shares
from review.retrieval.directions import DIRECTIONS, KS
from review.retrieval.results import RECALL, RecallNumbers
from review.retrieval.sections import frames_of
from review.summary.results import (
    GAPS,
    SCORES,
    STATISTICS,
    AverageRecall,
    CategoryMeans,
    Counts,
    GapRow,
    Gaps,
    ScoreRow,
    UnifiedScores,
)

# Version 3: a run's captions belong to its model, and every set of captions has a row.
METHOD = f"metrics.unified {VERSION}, rows 3"
SOURCES = (Report.Name.RECALL, Report.Name.CAPST)
GENERAL = Caption.Kind.GENERAL
ELEMENTS_PRESET = "default"
UNITS = "categories"
LONGEST_NAME = 60
StoredRecall = Stored[RecallNumbers]


class Judged(NamedTuple):
    """A CapST report with its set of captions and their model."""

    stored: StoredCapst
    captions: str
    model: str


def unified_inputs(project: Project) -> Iterator[Inputs]:
    """Return the scores of each CapST preset in use, if general captions have recall too; and the
    gaps to each model, if there are two or more.
    """
    recalls = [one for one in reports_in_use(project, RECALL) if general_ways(one)]
    judged = _judged(project, {joined_by(recall.model) for recall in recalls})
    for preset in PRESETS:
        of_preset = [one for one in judged if one.stored.report.subject.endswith(f":{preset}")]
        if recalls and of_preset:
            yield _scores(project, preset, recalls, of_preset)
    compared = [recall for recall in recalls if average_of(recall) is not None]
    if len(compared) > 1:
        of_categories, source = _categories(project, [one.stored for one in judged])
        for baseline in compared:
            yield _gaps(baseline, compared, of_categories, source)


def _judged(project: Project, known: set[str]) -> list[Judged]:
    """Return the CapST reports. A set of captions belongs to the model of its name if that is
    `known`, and otherwise to the model whose run made it.
    """
    rows = CaptionSet.objects.filter(project=project).values_list("pk", "name", "run__model__name")
    sets = {
        key: (name, name if joined_by(name) in known else made_by or name)
        for key, name, made_by in rows
    }
    judged = reports_in_use(project, CAPST)
    return [Judged(report, *sets[report.about]) for report in judged if report.about is not None]


def _scores(
    project: Project, preset: str, recalls: Sequence[StoredRecall], judged: Sequence[Judged]
) -> Inputs:
    rows = list(_joined(recalls, judged))
    instructions = instructions_of_sets(project)
    used: list[AnyStored] = [*recalls, *(one.stored for one in judged)]
    return Inputs(
        subject=f"{SCORES}:{preset}",
        method=METHOD,
        parameters={
            "preset": preset,
            "models": len({joined_by(model) for model, _, _ in rows}),
            "complete": sum(bool(recall and capst) for _, recall, capst in rows),
            "join": "name or run",
            **summary_for_signature([instructions[one.stored.about or 0] for one in judged]),
        },
        labels=[*_hashes(used), sorted([one.captions, one.model] for one in judged)],
        count=len(used),
        compute=lambda: UnifiedScores([_score(*row) for row in rows]),
    )


def _joined(
    recalls: Sequence[StoredRecall], judged: Sequence[Judged]
) -> Iterator[tuple[str, StoredRecall | None, Judged | None]]:
    """Return (model, recall, CapST): each recall report with each of its model's sets of captions,
    or alone, then the captions of models without recall.
    """
    for recall in recalls:
        own = [model for model in judged if joined_by(model.model) == joined_by(recall.model)]
        if not own:
            yield recall.model, recall, None
        yield from ((recall.model, recall, model) for model in own)
    joined = {joined_by(recall.model) for recall in recalls}
    for model in sorted(judged, key=lambda model: (joined_by(model.model), model.captions)):
        if joined_by(model.model) not in joined:
            yield model.model, None, model


def _score(model: str, recall: StoredRecall | None, judged: Judged | None) -> ScoreRow:
    capst = judged.stored if judged else None
    ways = general_ways(recall) if recall else None
    t2v, v2t = (ways.t2v.recall[1], ways.v2t.recall[1]) if ways else (None, None)
    events = capst.numbers.events.f1.value if capst else None
    objects = capst.numbers.objects.f1.value if capst else None
    score = unified_score(text_to_video=t2v, video_to_text=v2t, events=events, objects=objects)
    return ScoreRow(
        model=model,
        frames=frames_of(recall) if recall else "",
        captions=judged.captions if judged else "",
        recall=recall.report.pk if recall else None,
        capst=capst.report.pk if capst else None,
        counts=counts_of(ways),
        clips=capst.numbers.n_samples if capst else None,
        t2v=t2v,
        v2t=v2t,
        events=events,
        objects=objects,
        retrieval=score.retrieval,
        caption=score.caption,
        value=score.value,
        reason=score.reason,
    )


def _gaps(
    baseline: StoredRecall,
    recalls: Sequence[StoredRecall],
    of_categories: Mapping[str, CategoryMeans],
    source: StoredCapst | None,
) -> Inputs:
    others = [recall for recall in recalls if recall is not baseline]
    used: list[AnyStored] = [baseline, *others, *([source] if source else [])]
    return Inputs(
        subject=f"{GAPS}:{baseline.report.subject}",
        method=METHOD,
        parameters={
            "baseline": baseline.model[:LONGEST_NAME],
            "frames": frames_of(baseline)[:LONGEST_NAME],
            "models": len(others),
            "captions": str(GENERAL),
            "over": UNITS,
            "categories": len(of_categories),
        },
        labels=[
            *_hashes(used),
            [[name, asdict(gap)] for name, gap in sorted(of_categories.items())],
        ],
        count=len(used),
        compute=lambda: Gaps(
            baseline=average_recall_of(baseline),
            models=[_gap(other, baseline, of_categories) for other in others],
            categories=of_categories,
            elements_from=source.report.pk if source else None,
        ),
    )


def average_recall_of(recall: StoredRecall) -> AverageRecall:
    """Return its mean recall by general captions, with the sizes behind it."""
    return AverageRecall(
        model=recall.model,
        frames=frames_of(recall),
        recall=recall.report.pk,
        average=average_of(recall),
        counts=counts_of(general_ways(recall)),
    )


def _gap(
    own: StoredRecall, baseline: StoredRecall, of_categories: Mapping[str, CategoryMeans]
) -> GapRow:
    """Return the gap in percent of the baseline, in each category, and its correlations over these.
    None if the two differ in the number of queries or the gallery size.
    """
    mine, theirs = average_recall_of(own), average_recall_of(baseline)
    assert mine.average is not None
    assert theirs.average is not None
    found = relative_gap(mine.average, theirs.average)
    unlike = differing_galleries(mine.counts, theirs.counts)
    here, there = ({} if unlike else _average_by_category(one) for one in (own, baseline))
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
        percent=None if unlike else found.percent,
        reason=unlike or found.reason,
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


def general_ways(recall: StoredRecall) -> BothWays | None:
    """Return the report's numbers for general captions."""
    return recall.numbers.kinds.get(GENERAL)


def counts_of(ways: BothWays | None) -> Counts:
    if ways is None:
        return {}
    directions = {name: ways.way(name) for name in DIRECTIONS}
    return {name: [way.n_queries, way.n_gallery] for name, way in directions.items()}


def average_of(recall: StoredRecall) -> float | None:
    ways = general_ways(recall)
    return _average([ways.t2v, ways.v2t]) if ways else None


def _average(both: Sequence[Shares]) -> float | None:
    """Return the paper's Avg Recall: the mean of six recalls, both directions at each K."""
    shares = [share for way in both for k in KS if (share := way.recall[k]) is not None]
    return None if len(shares) < len(both) * len(KS) else sum(shares) / len(shares)


def _average_by_category(recall: StoredRecall) -> dict[str, float]:
    ways = general_ways(recall)
    if ways is None:
        return {}
    first, second = ways.t2v.by_category, ways.v2t.by_category
    means = {name: _average([first[name], second[name]]) for name in first.keys() & second.keys()}
    return {name: mean for name, mean in means.items() if mean is not None}


def _categories(
    project: Project, judged: Sequence[StoredCapst]
) -> tuple[dict[str, CategoryMeans], StoredCapst | None]:
    """Return, by category, the number of general captions, their mean words, and the mean events
    and objects of its human captions; and the CapST report that counted these. Elements are None
    without such a report, or if it has none of the category.
    """
    rows = captions_in_force(project, GENERAL).order_by().values_list("clip__video__category")
    words = rows.annotate(n=Count("pk"), words=Avg("word_count"))
    source = max(
        (model for model in judged if model.report.subject.endswith(f":{ELEMENTS_PRESET}")),
        key=lambda model: (model.numbers.n_samples, model.report.pk),
        default=None,
    )
    elements = source.numbers.by_category if source else {}
    categories = {
        category: CategoryMeans(
            n, float(mean), *(mean_elements(elements.get(category), kind) for kind in KINDS)
        )
        for category, n, mean in words
    }
    return categories, source


def mean_elements(scores: CategoryScores | None, kind: str) -> float | None:
    """Return the mean number of elements of a human caption, over those with a known list."""
    if scores is None:
        return None
    lists = branch_of(scores, kind).recall
    judged = scores.n_samples - lists.n_failed - lists.n_dropped
    return lists.n_elements / judged if judged else None


def _hashes(used: Sequence[AnyStored]) -> list[list[str]]:
    """Return a value that changes with each of the reports."""
    return sorted(
        [stored.report.name, stored.report.subject, stored.report.inputs_hash] for stored in used
    )
