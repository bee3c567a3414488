"""How the numbers of each kind of report are computed from the files of a release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from metrics.capst.judged import Judged, Sample
from metrics.leakage import ObjectCounts
from review.capst.computing import score_captions
from review.comparisons.cast import VOTE_BATCH_SIZE, Cast
from review.composed.computing import score_baselines
from review.identification.computing import Pick, count_picks
from review.leaderboard.computing import Settings, rate_models
from review.leaderboard.correlating import correlate
from review.leakage.computing import count_leakage
from review.proof.verifying.summaries import assessment, overlap, unified
from review.proof.verifying.tables import ReportInputs
from review.proof.verifying.targets import released_queries
from review.ratings.computing import Rated, summarize_parts
from review.reliability.computing import (
    kind_reliability,
    rating_reliability,
    round_reliability,
    threshold_reliability,
)
from review.reliability.results import Counted, KnownRow, StudyRating, Task
from review.reports.answers import Question, Share, question_result, share_result
from review.reports.marks import marks_by_category
from review.reports.plain import plain_value
from review.retrieval.computing import HALVES, Seconds, compare_halves, curve_of, way_of
from review.retrieval.directions import T2V, VectorMatrix, directions_of, search
from review.threshold.computing import Labelled, estimate_thresholds, weight_of

KINDS_OF_CAPTIONS = ("general", "spatial", "temporal", "full_video")
GALLERY_OF = {"full_video": "videos"}
LEVELS = ("clips", "videos")
LABEL = {"rater": str, "unit": Hashable, "label": Hashable}
KEYS = "Vericap's own keys of what was counted."
Pairs = Iterator[tuple[str, VectorMatrix, VectorMatrix]]
About = dict[int, tuple[int, str]]


@dataclass(frozen=True)
class Recomputed:
    """`compute` returns the result, or the part of it that can be computed. `left_out`: dotted keys
    of the result that aren't computed from the files, with the reason; * is any key. `has_vectors`:
    a takedown can take its vectors."""

    compute: Callable[[ReportInputs], object]
    left_out: Mapping[str, str] = field(default_factory=dict)
    has_vectors: bool = False


class JudgedClip(NamedTuple):
    clip: int
    category: str
    events_reference: Sequence[str] | None
    events_predicted: Sequence[str] | None
    objects_reference: Sequence[str] | None
    objects_predicted: Sequence[str] | None


def _agreement(inputs: ReportInputs) -> object:
    questions = {question.name: question for question in inputs.rows("questions", Question)}
    results = {name: question_result(question) for name, question in questions.items()}
    labels = inputs.values("labels", question=str, **LABEL)
    # The labels are sorted by question: those of one fit into memory, all of them may not.
    for name, rows in groupby(labels, itemgetter(0)):
        # Without a name of its own, a question is gone before the labels of the next are read.
        results[name] = question_result(replace(questions[name], labels=[row[1:] for row in rows]))
    return {
        "questions": list(results.values()),
        "shares": [share_result(share) for share in inputs.rows("shares", Share)],
    }


def _capst(inputs: ReportInputs) -> object:
    samples = [
        Sample(
            row.clip,
            row.category,
            events=Judged(row.events_reference, row.events_predicted),
            objects=Judged(row.objects_reference, row.objects_predicted),
        )
        for row in inputs.rows("judgments", JudgedClip)
    ]
    return {
        **plain_value(score_captions(samples, inputs.parameter("preset", str))),
        "category_marks": marks_by_category((sample.category, sample.clip) for sample in samples),
    }


def _correlation(inputs: ReportInputs) -> object:
    ratings: dict[str, dict[str, float]] = {}
    for rating, system, value in inputs.values("ratings", rating=str, system=str, value=float):
        ratings.setdefault(rating, {})[system] = value
    metrics: dict[tuple[str, str], dict[str, float]] = {}
    rows = inputs.values("metrics", key=str, name=str, system=str, value=float)
    for key, name, system, value in rows:
        metrics.setdefault((key, name), {})[system] = value
    return correlate(ratings, [(*metric, values) for metric, values in metrics.items()])


def _identification(inputs: ReportInputs) -> object:
    [(texts,)] = inputs.values("texts", texts=int)
    names = dict(inputs.values("clips", clip=int, name=str))
    picks = list(inputs.rows("picks", Pick))
    return count_picks(inputs.parameter("test", int), texts, picks, names)


def _leaderboard(inputs: ReportInputs) -> object:
    votes = list(inputs.rows("votes", Cast))
    settings, both_bad = inputs.parameters(Settings), inputs.parameter("both_bad", str)
    return rate_models(votes, settings, both_bad, VOTE_BATCH_SIZE)


def _leakage(inputs: ReportInputs) -> object:
    return count_leakage(list(inputs.rows("clips", ObjectCounts)))


def _map(inputs: ReportInputs) -> object:
    queries = list(released_queries(inputs))
    gallery = inputs.column("clips", clip=int)
    vectors = dict(zip(gallery, inputs.vectors("clips_vectors"), strict=True))
    return score_baselines(queries, gallery, vectors, inputs.vectors("texts_vectors"))


def _ratings(inputs: ReportInputs) -> object:
    completed = inputs.column("completed", caption=int)
    return summarize_parts(list(inputs.rows("ratings", Rated)), completed)


def _recall(inputs: ReportInputs) -> object:
    about = _about(inputs)
    kinds: dict[str, Any] = {}
    without: dict[str, int] = {}
    dimension = 0
    for kind, texts, gallery in _pairs(inputs):
        dimension = gallery.rows.shape[1]
        directions = directions_of(texts, gallery)
        without[kind] = len(texts) - len(directions[T2V].keys)
        kinds[kind] = {}
        for way, direction in directions.items():
            result = search(direction, about)
            kinds[kind][way] = asdict(
                way_of(result, curve_of(result, about), Seconds(0, 0, (), ()))
            )
    return {"kinds": kinds, "without": without, "dimension": dimension}


def _rebias(inputs: ReportInputs) -> object:
    pairs = (pair for pair in _pairs(inputs) if pair[0] in HALVES)
    return compare_halves(pairs, _about(inputs))


def _reliability(inputs: ReportInputs) -> object:
    if "votes" in inputs:
        return round_reliability(list(inputs.rows("votes", Cast)))
    if "ratings" in inputs:
        return rating_reliability(list(inputs.rows("ratings", StudyRating)))
    if "errors" in inputs:
        return threshold_reliability(list(inputs.rows("errors", Counted)))
    known_answers = list(inputs.rows("known", KnownRow))
    if "task" not in inputs:
        return kind_reliability(None, known_answers)
    [task] = inputs.rows("task", Task)
    labels = list(inputs.values("labels", **LABEL))
    return kind_reliability(replace(task, labels=labels), known_answers)


def _statistics(inputs: ReportInputs) -> object:
    lengths: dict[str, list[int]] = {level: [] for level in LEVELS}
    for level, milliseconds in inputs.values("items", level=str, milliseconds=int):
        lengths[level].append(milliseconds)
    captions: dict[str, dict[str, tuple[Counter[str], Counter[int]]]] = {
        level: {} for level in LEVELS
    }
    columns = {"level": str, "kind": str, "origin": str, "words": int}
    for level, kind, origin, number in inputs.values("captions", **columns):
        origins, words = captions[level].setdefault(kind, (Counter(), Counter()))
        origins[origin] += 1
        if "texts" not in inputs:
            words[number] += 1
    if "texts" in inputs:
        for kind, number in inputs.values("texts", kind=str, words=int):
            captions[GALLERY_OF.get(kind, "clips")][kind][1][number] += 1
    return {
        level: {
            "level": level,
            "items": len(lengths[level]),
            "total_ms": sum(lengths[level]),
            "min_ms": min(lengths[level], default=0),
            "max_ms": max(lengths[level], default=0),
            "captions": [
                {"kind": kind, "origins": origins, "words": words}
                for kind, (origins, words) in captions[level].items()
            ],
        }
        for level in LEVELS
    }


def _threshold(inputs: ReportInputs) -> object:
    drawn = (
        inputs.values("drawn", caption=int, even=float, probability=float)
        if "drawn" in inputs
        else ()
    )
    weights = {caption: weight_of(even, probability) for caption, even, probability in drawn}
    return estimate_thresholds(
        [
            caption._replace(weight=weights.get(caption.caption, 1.0))
            for caption in inputs.rows("captions", Labelled)
        ],
        inputs.column("completed", caption=int),
    )


def _pairs(inputs: ReportInputs) -> Pairs:
    for kind in KINDS_OF_CAPTIONS:
        if kind in inputs:
            yield kind, _matrix(inputs, kind), _matrix(inputs, GALLERY_OF.get(kind, "clips"))


def _matrix(inputs: ReportInputs, part: str) -> VectorMatrix:
    rows = list(inputs.values(part, key=int, clip=int))
    vectors = inputs.vectors(f"{part}_vectors")
    if len(rows) != len(vectors):
        raise ValueError(f"{part} has {len(rows)} rows and {len(vectors)} vectors")
    keys, clips = np.array(rows, np.int64).reshape(-1, 2).T
    return VectorMatrix(vectors, keys, clips)


def _about(inputs: ReportInputs) -> About:
    rows = inputs.values("about", clip=int, video=int, category=str)
    return {clip: (video, category) for clip, video, category in rows}


STATED = "It says how the vectors came about, which vectors don't show."
TOKENIZER = "Counting tokens needs a package beside Python and numpy."
MEASURED = "A time, measured once."
RECOMPUTED: Mapping[str, Recomputed] = {
    "agreement": Recomputed(_agreement, {"stored": KEYS}),
    "assessment": Recomputed(assessment),
    "capst": Recomputed(_capst, {"references": KEYS, "run": KEYS}),
    "correlation": Recomputed(_correlation),
    "identification": Recomputed(_identification),
    "leaderboard": Recomputed(_leaderboard),
    "leakage": Recomputed(_leakage),
    "map": Recomputed(_map, has_vectors=True),
    "overlap": Recomputed(overlap),
    "ratings": Recomputed(_ratings),
    "rebias": Recomputed(_rebias, {"by_source": STATED}, has_vectors=True),
    "recall": Recomputed(
        _recall,
        {
            "kinds.*.*.seconds": MEASURED,
            "searched_on": MEASURED,
            "made": STATED,
            "by_source": STATED,
            "space": STATED,
            "sampling": STATED,
            "sha256": "It has the keys of the rows in the database, too.",
        },
        has_vectors=True,
    ),
    "reliability": Recomputed(_reliability),
    "statistics": Recomputed(
        _statistics,
        {
            "clips.captions.*.tokens": TOKENIZER,
            "videos.captions.*.tokens": TOKENIZER,
            "clips.bins": "A histogram of the lengths, for the chart.",
            "videos.bins": "A histogram of the lengths, for the chart.",
            "left_out": "A release doesn't have what the project leaves out.",
        },
    ),
    "threshold": Recomputed(_threshold),
    "unified": Recomputed(unified, {"elements_from": KEYS}),
}
