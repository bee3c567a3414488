"""One score for a model's retrieval and its captions, and how far models are apart (CaReBench,
section 5.4 and appendix D). From stored reports of recall and of CapST alone.

Two sorts of subjects. "scores:" with a preset of CapST: every model's score. "gaps:" with the
subject of a report of recall: how far every other model is from that one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db.models import Avg, Count

from annotate.models import Caption, Project
from inference.queries import captions_in_force
from metrics.capst import PRESETS
from metrics.correlation import Correlation
from metrics.unified import VERSION, gap_correlations, relative_gap, unified_score
from review.capst.results import KINDS
from review.models import CaptionSet, Report
from review.queries.metric_reports import Stored, reports_in_use
from review.reports.inputs import Inputs
from review.reports.recall import DIRECTIONS, KS

SCORES, GAPS = "scores", "gaps"
# 2: rows have their counts, and there is no gap between recalls of different ones.
METHOD = f"metrics.unified {VERSION}, rows 2"
SOURCES = (Report.Name.RECALL, Report.Name.CAPST)
GENERAL = Caption.Kind.GENERAL
ELEMENTS_PRESET = "default"
STATISTICS = ("words", "objects", "events")
UNITS = "categories"
LONGEST_NAME = 60
MOST_NAMED = 3


def unified_inputs(project: Project) -> Iterator[Inputs]:
    """The scores of each preset by which captions are judged, where general captions were looked
    for too; and the gaps to each model, where there are two or more."""
    recalls = [one for one in reports_in_use(project, Report.Name.RECALL) if _general(one)]
    judged = reports_in_use(project, Report.Name.CAPST)
    names = dict(CaptionSet.objects.filter(project=project).values_list("pk", "name"))
    for preset in PRESETS:
        by_preset = [one for one in judged if one.report.subject.endswith(f":{preset}")]
        if recalls and by_preset:
            yield _scores(preset, recalls, by_preset, names)
    averages = {one.report.subject: average for one in recalls if (average := _average(one))}
    compared = [one for one in recalls if one.report.subject in averages]
    if len(compared) > 1:
        of_categories, source = _categories(project, judged)
        for baseline in compared:
            yield _gaps(baseline, compared, averages, of_categories, source)


def joined_by(name: str) -> str:
    """Names that are equal by this are one model's: no capitals, single spaces."""
    return " ".join(name.casefold().split())


def frames_of(stored: Stored) -> str:
    return str(stored.report.parameters.get("frames", "from a file"))


def _scores(
    preset: str, recalls: Sequence[Stored], judged: Sequence[Stored], names: Mapping[int, str]
) -> Inputs:
    rows = _joined(recalls, judged, names)
    used = [*recalls, *judged]
    return Inputs(
        subject=f"{SCORES}:{preset}",
        method=METHOD,
        parameters={
            "preset": preset,
            "models": len(rows),
            "complete": sum(bool(recall and capst) for recall, capst, *_ in rows),
            "join": "name",
        },
        labels=[*_hashes(used), sorted(names[_about(one)] for one in judged)],
        count=len(used),
        compute=lambda: {"models": [_score(*row) for row in rows]},
    )


def _joined(
    recalls: Sequence[Stored], judged: Sequence[Stored], names: Mapping[int, str]
) -> list[tuple[Stored | None, Stored | None, str, str]]:
    """(recall, CapST, model, why captions of that name were not taken): a row a report of recall,
    then one for each set of captions whose model has none."""
    by_name: dict[str, list[Stored]] = defaultdict(list)
    for one in judged:
        by_name[joined_by(names[_about(one)])].append(one)
    rows: list[tuple[Stored | None, Stored | None, str, str]] = []
    for recall in recalls:
        found = by_name.get(joined_by(recall.model), [])
        capst = found[0] if len(found) == 1 else None
        rows.append((recall, capst, recall.model, _ambiguous(found, names)))
    taken = {joined_by(recall.model) for recall in recalls}
    rows += [
        (None, one, names[_about(one)], "")
        for name, found in sorted(by_name.items())
        if name not in taken
        for one in found
    ]
    return rows


def _about(capst: Stored) -> int:
    assert capst.about is not None
    return capst.about


def _ambiguous(found: Sequence[Stored], names: Mapping[int, str]) -> str:
    if len(found) < 2:
        return ""
    listed = ", ".join(f"“{names[_about(one)]}”" for one in found[:MOST_NAMED])
    return f"{len(found)} sets of captions have this name: {listed}. Leave one of them in use."


def _score(
    recall: Stored | None, capst: Stored | None, model: str, ambiguous: str
) -> dict[str, Any]:
    first = {way: _general(recall)[way]["recall"]["1"] if recall else None for way in DIRECTIONS}
    f1 = {
        kind: capst.numbers[kind]["f1"]["value"] if capst else None
        for kind in ("events", "objects")
    }
    score = unified_score(
        text_to_video=first["t2v"],
        video_to_text=first["v2t"],
        events=f1["events"],
        objects=f1["objects"],
    )
    return {
        "model": model,
        "frames": frames_of(recall) if recall else "",
        "recall": recall.report.pk if recall else None,
        "capst": capst.report.pk if capst else None,
        "counts": _counts(recall) if recall else {},
        **first,
        **f1,
        "retrieval": score.retrieval,
        "caption": score.caption,
        "value": score.value,
        "reason": ambiguous or score.reason,
    }


def _gaps(
    baseline: Stored,
    recalls: Sequence[Stored],
    averages: Mapping[str, float],
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
            "baseline": _of(baseline, averages),
            "models": [_gap(one, baseline, averages, of_categories) for one in others],
            "categories": of_categories,
            "elements_from": source.report.pk if source else None,
        },
    )


def _of(recall: Stored, averages: Mapping[str, float]) -> dict[str, Any]:
    return {
        "model": recall.model,
        "frames": frames_of(recall),
        "recall": recall.report.pk,
        "average": averages[recall.report.subject],
        "counts": _counts(recall),
    }


def _gap(
    own: Stored,
    baseline: Stored,
    averages: Mapping[str, float],
    of_categories: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """The gap in percent of the baseline, in each category, and what it goes with over these. None
    where the two were not asked as many queries among as many things."""
    found = relative_gap(averages[own.report.subject], averages[baseline.report.subject])
    unlike = _unlike(own, baseline)
    mine = {} if unlike else _average_by_category(own)
    theirs = _average_by_category(baseline)
    gaps = {
        name: gap.percent
        for name in sorted(mine.keys() & theirs.keys() & of_categories.keys())
        if (gap := relative_gap(mine[name], theirs[name])).percent is not None
    }
    correlations: dict[str, Correlation] = {}
    for statistic in STATISTICS:
        known = [name for name in gaps if of_categories[name][statistic] is not None]
        values = {statistic: [of_categories[name][statistic] for name in known]}
        correlations |= gap_correlations([gaps[name] for name in known], values, units=UNITS)
    return {
        **_of(own, averages),
        "percent": None if unlike else found.percent,
        "reason": unlike or found.reason,
        "categories": gaps,
        "correlations": {name: asdict(one) for name, one in correlations.items()},
    }


def _counts(recall: Stored) -> dict[str, list[int]]:
    """direction -> how many queries, and among how many things."""
    ways = _general(recall)
    return {way: [ways[way]["n_queries"], ways[way]["n_gallery"]] for way in DIRECTIONS}


def _unlike(own: Stored, baseline: Stored) -> str:
    """Why two recalls don't compare; empty where they do."""
    mine, theirs = _counts(own), _counts(baseline)
    for way in DIRECTIONS:
        if mine[way] != theirs[way]:
            (queries, gallery), (others, among) = mine[way], theirs[way]
            return (
                f"The recall of {queries} queries among {gallery} does not compare with the "
                f"baseline’s of {others} among {among}."
            )
    return ""


def _general(recall: Stored) -> Mapping[str, Any]:
    kinds: Mapping[str, Any] = recall.numbers["kinds"] or {}
    found: Mapping[str, Any] = kinds.get(GENERAL, {})
    return found


def _average(recall: Stored) -> float | None:
    """The paper's Avg Recall: the mean of six shares, both directions at each K."""
    return _mean([_general(recall)[way]["recall"] for way in DIRECTIONS])


def _average_by_category(recall: Stored) -> dict[str, float]:
    by_way = [_general(recall)[way]["by_category"] for way in DIRECTIONS]
    means = {
        name: _mean([by_category[name]["recall"] for by_category in by_way])
        for name in by_way[0].keys() & by_way[1].keys()
    }
    return {name: mean for name, mean in means.items() if mean is not None}


def _mean(shares: Sequence[Mapping[str, float | None]]) -> float | None:
    known = [share[str(k)] for share in shares for k in KS]
    return None if None in known else sum(known) / len(known)  # type: ignore[arg-type]


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
