"""One score for a model's retrieval and its captions, and how far models are apart (CaReBench,
section 5.4 and appendix D). From stored reports of recall and of CapST alone.

Two sorts of subjects. "scores:" with a preset of CapST: every model's score. "gaps:" with the
subject of a report of recall: how far every other model is from that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from django.db.models import Avg, Count

from annotate.models import Caption, Project
from inference.queries import captions_in_force
from metrics.capst import PRESETS
from metrics.correlation import Correlation
from metrics.unified import VERSION, gap_correlations, relative_gap, unified_score
from review.captions.instructions import instructions_of_sets
from review.captions.models import CaptionSet
from review.elements.lines import KINDS
from review.reports.inputs import Inputs
from review.reports.instructions import summary_for_signature
from review.reports.models import Report
from review.reports.stored import Stored, reports_in_use
from review.retrieval.report import DIRECTIONS, KS
from review.retrieval.sections import frames_of

SCORES, GAPS = "scores", "gaps"
# 3: captions of a run are its model's, and every set of captions has a row.
METHOD = f"metrics.unified {VERSION}, rows 3"
SOURCES = (Report.Name.RECALL, Report.Name.CAPST)
GENERAL = Caption.Kind.GENERAL
ELEMENTS_PRESET = "default"
STATISTICS = ("words", "objects", "events")
UNITS = "categories"
LONGEST_NAME = 60


class Judged(NamedTuple):
    """A report of CapST: of which set of captions, and of which model these are."""

    stored: Stored
    captions: str
    model: str


def unified_inputs(project: Project) -> Iterator[Inputs]:
    """The scores of each preset by which captions are judged, where general captions were looked
    for too; and the gaps to each model, where there are two or more."""
    recalls = [one for one in reports_in_use(project, Report.Name.RECALL) if _ways(one)]
    judged = _judged(project, {_joined_by(one.model) for one in recalls})
    for preset in PRESETS:
        of_preset = [one for one in judged if one.stored.report.subject.endswith(f":{preset}")]
        if recalls and of_preset:
            yield _scores(project, preset, recalls, of_preset)
    compared = [one for one in recalls if _average(_ways(one)) is not None]
    if len(compared) > 1:
        of_categories, source = _categories(project, [one.stored for one in judged])
        for baseline in compared:
            yield _gaps(baseline, compared, of_categories, source)


def _judged(project: Project, known: set[str]) -> list[Judged]:
    """A set of captions is of the model that it is called by where that is `known`, and else of the
    one whose run made it."""
    rows = CaptionSet.objects.filter(project=project).values_list("pk", "name", "run__model__name")
    sets = {
        key: (name, name if _joined_by(name) in known else made_by or name)
        for key, name, made_by in rows
    }
    judged = reports_in_use(project, Report.Name.CAPST)
    return [Judged(one, *sets[one.about]) for one in judged if one.about is not None]


def _joined_by(name: str) -> str:
    """Names that are equal by this are one model's: no capitals, single spaces."""
    return " ".join(name.casefold().split())


def _scores(
    project: Project, preset: str, recalls: Sequence[Stored], judged: Sequence[Judged]
) -> Inputs:
    rows = list(_joined(recalls, judged))
    asked = instructions_of_sets(project)
    used = [*recalls, *(one.stored for one in judged)]
    return Inputs(
        subject=f"{SCORES}:{preset}",
        method=METHOD,
        parameters={
            "preset": preset,
            "models": len({_joined_by(model) for model, _, _ in rows}),
            "complete": sum(bool(recall and capst) for _, recall, capst in rows),
            "join": "name or run",
            **summary_for_signature([asked[one.stored.about or 0] for one in judged]),
        },
        labels=[*_hashes(used), sorted([one.captions, one.model] for one in judged)],
        count=len(used),
        compute=lambda: {"models": [_score(*row) for row in rows]},
    )


def _joined(
    recalls: Sequence[Stored], judged: Sequence[Judged]
) -> Iterator[tuple[str, Stored | None, Judged | None]]:
    """(model, recall, CapST): each report of recall with each of its model's sets of captions, or
    alone, then the captions of models without one."""
    for recall in recalls:
        own = [one for one in judged if _joined_by(one.model) == _joined_by(recall.model)]
        if not own:
            yield recall.model, recall, None
        yield from ((recall.model, recall, one) for one in own)
    known = {_joined_by(recall.model) for recall in recalls}
    for one in sorted(judged, key=lambda one: (_joined_by(one.model), one.captions)):
        if _joined_by(one.model) not in known:
            yield one.model, None, one


def _score(model: str, recall: Stored | None, judged: Judged | None) -> dict[str, Any]:
    capst = judged.stored if judged else None
    ways = _ways(recall) if recall else {}
    first = {way: ways[way]["recall"]["1"] if recall else None for way in DIRECTIONS}
    f1 = {kind: capst.numbers[kind]["f1"]["value"] if capst else None for kind in KINDS}
    score = unified_score(
        text_to_video=first["t2v"],
        video_to_text=first["v2t"],
        events=f1["events"],
        objects=f1["objects"],
    )
    return {
        "model": model,
        "frames": frames_of(recall) if recall else "",
        "captions": judged.captions if judged else "",
        "recall": recall.report.pk if recall else None,
        "capst": capst.report.pk if capst else None,
        "counts": _counts(ways),
        "clips": capst.numbers["n_samples"] if capst else None,
        **first,
        "events": f1["events"],
        "objects": f1["objects"],
        "retrieval": score.retrieval,
        "caption": score.caption,
        "value": score.value,
        "reason": score.reason,
    }


def _gaps(
    baseline: Stored,
    recalls: Sequence[Stored],
    of_categories: Mapping[str, Mapping[str, Any]],
    source: Stored | None,
) -> Inputs:
    others = [one for one in recalls if one is not baseline]
    used = [baseline, *others, *([source] if source else [])]
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
        labels=[*_hashes(used), sorted(of_categories.items())],
        count=len(used),
        compute=lambda: {
            "baseline": _of(baseline),
            "models": [_gap(one, baseline, of_categories) for one in others],
            "categories": of_categories,
            "elements_from": source.report.pk if source else None,
        },
    )


def _of(recall: Stored) -> dict[str, Any]:
    return {
        "model": recall.model,
        "frames": frames_of(recall),
        "recall": recall.report.pk,
        "average": _average(_ways(recall)),
        "counts": _counts(_ways(recall)),
    }


def _gap(
    own: Stored, baseline: Stored, of_categories: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """The gap in percent of the baseline, in each category, and what it goes with over these. None
    where the two were not asked as many queries among as many things."""
    mine, theirs = _of(own), _of(baseline)
    found = relative_gap(mine["average"], theirs["average"])
    unlike = _unlike(mine["counts"], theirs["counts"])
    here, there = ({} if unlike else _average_by_category(_ways(one)) for one in (own, baseline))
    gaps = {
        name: gap.percent
        for name in sorted(here.keys() & there.keys() & of_categories.keys())
        if (gap := relative_gap(here[name], there[name])).percent is not None
    }
    correlations: dict[str, Correlation] = {}
    for statistic in STATISTICS:
        known = [name for name in gaps if of_categories[name][statistic] is not None]
        values = {statistic: [of_categories[name][statistic] for name in known]}
        correlations |= gap_correlations([gaps[name] for name in known], values, units=UNITS)
    return {
        **mine,
        "percent": None if unlike else found.percent,
        "reason": unlike or found.reason,
        "categories": gaps,
        "correlations": {name: asdict(one) for name, one in correlations.items()},
    }


def _unlike(mine: Mapping[str, list[int]], theirs: Mapping[str, list[int]]) -> str:
    """Why two recalls don't compare; empty where they do."""
    for way in DIRECTIONS:
        if mine[way] != theirs[way]:
            (queries, gallery), (others, among) = mine[way], theirs[way]
            return (
                f"The recall of {queries} queries among {gallery} is not comparable with the "
                f"baseline’s recall of {others} queries among {among}."
            )
    return ""


def _ways(recall: Stored) -> Mapping[str, Any]:
    """Its numbers by general captions, by direction; empty where it has none."""
    kinds: Mapping[str, Mapping[str, Any]] = recall.numbers["kinds"] or {}
    return kinds.get(GENERAL, {})


def _counts(ways: Mapping[str, Any]) -> dict[str, list[int]]:
    """direction -> how many queries, and among how many things."""
    return {way: [found["n_queries"], found["n_gallery"]] for way, found in ways.items()}


def _average(ways: Mapping[str, Any]) -> float | None:
    """The paper's Avg Recall: the mean of six shares, both directions at each K."""
    shares = [ways[way]["recall"][str(k)] for way in DIRECTIONS for k in KS]
    return None if None in shares else sum(shares) / len(shares)


def _average_by_category(ways: Mapping[str, Any]) -> dict[str, float]:
    by_way = {way: ways[way]["by_category"] for way in DIRECTIONS}
    names = set.intersection(*(set(found) for found in by_way.values()))
    means = {name: _average({way: by_way[way][name] for way in DIRECTIONS}) for name in names}
    return {name: mean for name, mean in means.items() if mean is not None}


def _categories(
    project: Project, judged: Sequence[Stored]
) -> tuple[dict[str, dict[str, Any]], Stored | None]:
    """By category: its general captions, their words on average, and the events and objects of its
    human captions as CapST counted them; and the report which did. Elements are None where there
    is no such report, or it has none of the category."""
    rows = captions_in_force(project, GENERAL).order_by().values_list("clip__video__category")
    words = rows.annotate(n=Count("pk"), words=Avg("word_count"))
    source = max(
        (one for one in judged if one.report.subject.endswith(f":{ELEMENTS_PRESET}")),
        key=lambda one: (one.numbers["n_samples"], one.report.pk),
        default=None,
    )
    elements = source.numbers["by_category"] if source else {}
    found = {
        category: {
            "captions": n,
            "words": float(mean),
            **{kind: _elements(elements.get(category), kind) for kind in KINDS},
        }
        for category, n, mean in words
    }
    return found, source


def _elements(scores: Mapping[str, Any] | None, kind: str) -> float | None:
    """How many a human caption has on average, over those whose list is known."""
    if scores is None:
        return None
    lists = scores[kind]["recall"]
    known = scores["n_samples"] - lists["n_failed"] - lists["n_dropped"]
    return lists["n_elements"] / known if known else None


def _hashes(used: Sequence[Stored]) -> list[list[str]]:
    """What changes with every one of the reports."""
    return sorted([one.report.name, one.report.subject, one.report.inputs_hash] for one in used)
