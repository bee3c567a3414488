"""Unified scores and relative gaps of a project, from its stored reports of recall and CapST alone.

There are two kinds of subjects. "scores:" with a CapST preset has every model's score. "gaps:" with
the subject of a recall report has every other model's gap to that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, fields
from typing import Any, NamedTuple

from django.db.models import Avg, Count

from annotate.models import Caption, Project
from inference.queries import current_captions_of
from metrics.capst import PRESETS
from metrics.capst.scores import CategoryScores
from metrics.unified import VERSION
from review.capst import NAME as CAPST_NAME
from review.capst.results import CAPST, StoredCapst, branch_of, preset_words
from review.captions.instructions import instructions_of_sets
from review.captions.model_facts import joined_by
from review.captions.models import CaptionSet
from review.elements.lines import KINDS
from review.reports.inputs import Inputs
from review.reports.instructions import summary_for_signature
from review.reports.plain import AnyTable, Table
from review.reports.stored import AnyStored, reports_in_use
from review.retrieval import NAME as RECALL_NAME
from review.retrieval.computing import BothWays, Shares
from review.retrieval.directions import DIRECTIONS, KS
from review.retrieval.results import RECALL, StoredRecall
from review.summary import NAME
from review.summary.computing import (
    UNITS,
    CategoryMeans,
    GeneralRecall,
    JudgedCaptions,
    average_of,
    compare_models,
    score_models,
)
from review.summary.results import (
    GAPS,
    SCORES,
    UNIFIED_RESULTS,
    GapParameters,
    ScoreParameters,
    UnifiedKind,
    unified_subject,
)

# Version 3: a run's captions belong to its model, and every set of captions has a row.
METHOD = f"metrics.unified {VERSION}, rows 3"
SOURCES = (RECALL_NAME, CAPST_NAME)
GENERAL = Caption.Kind.GENERAL
ELEMENTS_PRESET = "default"
MAX_NAME_LENGTH = 60


class Judged(NamedTuple):
    """A CapST report with its set of captions and their model."""

    stored: StoredCapst
    captions: str
    model: str


# The name of a model, its recall and its captions.
Joined = tuple[str, StoredRecall | None, Judged | None]


def unified_inputs(project: Project) -> Iterator[Inputs]:
    """Return the scores of each CapST preset in use, if general captions have recall too; and the
    gaps to each model, if there are two or more.
    """
    recalls = [recall for recall in reports_in_use(project, RECALL) if general_ways(recall)]
    judged = _judged(project, {joined_by(recall.parameters.model) for recall in recalls})
    for preset in PRESETS:
        of_preset = [
            judged_set
            for judged_set in judged
            if judged_set.stored.report.subject.endswith(f":{preset}")
        ]
        if recalls and of_preset:
            yield _scores(project, preset, recalls, of_preset)
    compared = [
        recall for recall in recalls if average_of(general_recall(recall).shares) is not None
    ]
    if len(compared) > 1:
        of_categories, source = _categories(project, [judged_set.stored for judged_set in judged])
        for baseline in compared:
            yield _gaps(baseline, compared, of_categories, source)


def _judged(project: Project, recall_models: set[str]) -> list[Judged]:
    """Return the CapST reports. A set of captions belongs to the model of its name if that is
    `recall_models`, and otherwise to the model whose run made it.
    """
    rows = CaptionSet.objects.filter(project=project).values_list("pk", "name", "run__model__name")
    sets = {
        key: (name, name if joined_by(name) in recall_models else made_by or name)
        for key, name, made_by in rows
    }
    judged = reports_in_use(project, CAPST)
    return [Judged(report, *sets[report.about]) for report in judged if report.about is not None]


def _scores(
    project: Project, preset: str, recalls: Sequence[StoredRecall], judged: Sequence[Judged]
) -> Inputs:
    rows = list(_joined(recalls, judged))
    instructions = instructions_of_sets(project)
    used: list[AnyStored] = [*recalls, *(judged_set.stored for judged_set in judged)]
    return Inputs(
        subject=f"{SCORES}:{preset}",
        method=METHOD,
        parameters=ScoreParameters(
            preset=preset,
            models=len({joined_by(model) for model, _, _ in rows}),
            complete=sum(bool(recall and capst) for _, recall, capst in rows),
            join="name or run",
            **summary_for_signature(
                [instructions[judged_set.stored.about or 0] for judged_set in judged]
            ),
        ),
        labels=[
            *_hashes(used),
            sorted([judged_set.captions, judged_set.model] for judged_set in judged),
        ],
        count=len(used),
        compute=lambda: score_models([_plain(row) for row in rows]),
        tables=lambda: _score_tables(rows),
    )


def _plain(row: Joined) -> tuple[GeneralRecall | None, JudgedCaptions | None]:
    _, recall, judged = row
    return (
        general_recall(recall) if recall else None,
        judged_captions(judged) if judged else None,
    )


def _joined(recalls: Sequence[StoredRecall], judged: Sequence[Judged]) -> Iterator[Joined]:
    """Return (model, recall, CapST): each recall report with each of its model's sets of captions,
    or alone, then the captions of models without recall.
    """
    for recall in recalls:
        name = recall.parameters.model
        own = [model for model in judged if joined_by(model.model) == joined_by(name)]
        if not own:
            yield name, recall, None
        yield from ((name, recall, model) for model in own)
    joined = {joined_by(recall.parameters.model) for recall in recalls}
    for model in sorted(judged, key=lambda model: (joined_by(model.model), model.captions)):
        if joined_by(model.model) not in joined:
            yield model.model, None, model


def _score_tables(rows: Sequence[Joined]) -> dict[str, AnyTable]:
    recalls = {recall.report.pk: general_recall(recall) for _, recall, _ in rows if recall}
    judged = [judged_captions(of_model) for _, _, of_model in rows if of_model]
    return {
        "recalls": _table(GeneralRecall, recalls.values()),
        "captions": _table(JudgedCaptions, judged),
        "rows": Table(
            ("recall", "capst"),
            [
                (recall and recall.report.pk, of_model and of_model.stored.report.pk)
                for _, recall, of_model in rows
            ],
        ),
    }


def _table(kind: type[Any], rows: Iterable[Any]) -> Table:
    columns = [field.name for field in fields(kind)]
    return Table(columns, [[getattr(row, name) for name in columns] for row in rows])


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
        parameters=GapParameters(
            baseline=baseline.parameters.model[:MAX_NAME_LENGTH],
            frames=baseline.parameters.frames_in_words[:MAX_NAME_LENGTH],
            models=len(others),
            captions=str(GENERAL),
            over=UNITS,
            categories=len(of_categories),
        ),
        labels=[
            *_hashes(used),
            [[name, asdict(gap)] for name, gap in sorted(of_categories.items())],
        ],
        count=len(used),
        compute=lambda: compare_models(
            general_recall(baseline),
            [general_recall(other) for other in others],
            of_categories,
            source.report.pk if source else None,
        ),
        tables=lambda: {
            "baseline": _table(GeneralRecall, [general_recall(baseline)]),
            "recalls": _table(GeneralRecall, map(general_recall, others)),
            "categories": Table(
                ("category", *(field.name for field in fields(CategoryMeans))),
                [(name, *astuple(means)) for name, means in of_categories.items()],
            ),
        },
    )


def general_ways(recall: StoredRecall) -> BothWays | None:
    """Return the report's numbers for general captions."""
    return recall.numbers.kinds.get(GENERAL)


def general_recall(recall: StoredRecall) -> GeneralRecall:
    """Return the report's numbers for general captions in plain form."""
    ways = general_ways(recall)
    both = {name: ways.way(name) for name in DIRECTIONS} if ways else {}
    categories = [way.by_category.keys() for way in both.values()]
    return GeneralRecall(
        model=recall.parameters.model,
        frames=recall.parameters.frames_in_words,
        recall=recall.report.pk,
        counts={name: [way.n_queries, way.n_gallery] for name, way in both.items()},
        shares={name: _shares(way) for name, way in both.items()},
        by_category={
            category: {name: _shares(way.by_category[category]) for name, way in both.items()}
            for category in sorted(set.intersection(*map(set, categories)) if both else ())
        },
    )


def _shares(recall: Shares) -> list[float | None]:
    return [recall.recall[k] for k in KS]


def judged_captions(judged: Judged) -> JudgedCaptions:
    """Return the numbers of a CapST report in plain form."""
    report, numbers = judged.stored.report, judged.stored.numbers
    return JudgedCaptions(
        captions=judged.captions,
        model=judged.model,
        capst=report.pk,
        clips=numbers.n_samples,
        events=numbers.events.f1.value,
        objects=numbers.objects.f1.value,
    )


def _categories(
    project: Project, judged: Sequence[StoredCapst]
) -> tuple[dict[str, CategoryMeans], StoredCapst | None]:
    """Return, by category, the number of general captions, their mean words, and the mean events
    and objects of its human captions; and the CapST report that counted these. Elements are None
    without such a report, or if it has none of the category.
    """
    rows = current_captions_of(project, GENERAL).order_by().values_list("clip__video__category")
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


KIND = UnifiedKind(
    NAME,
    "Unified score",
    unified_inputs,
    UNIFIED_RESULTS,
    page="metrics",
    follows=SOURCES,
    subject=unified_subject,
    about=lambda parameters: preset_words(parameters.preset),
)
