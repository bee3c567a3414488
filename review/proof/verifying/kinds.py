"""How the numbers of each kind of report are computed from the files of a release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, cast

import numpy as np

from metrics.capst.judged import Judged, Sample
from metrics.leakage import ObjectCounts
from review.capst.computing import score_captions
from review.comparisons.cast import VOTES_AT_ONCE, Cast
from review.composed.computing import score_baselines
from review.identification.computing import Pick, count_picks
from review.leaderboard.computing import Settings, rate_models
from review.leaderboard.correlating import correlate
from review.leaderboard.weighting import inverse_weights
from review.leakage.computing import count_leakage
from review.proof.verifying.summaries import assessment, overlap, unified
from review.proof.verifying.tables import Parameters, Tables
from review.ratings.computing import Rated, summarize_parts
from review.reliability.computing import (
    kind_reliability,
    rating_reliability,
    round_reliability,
    threshold_reliability,
)
from review.reliability.results import (
    Counted,
    KnownRow,
    StudyRating,
    Task,
)
from review.reports.answers import Question, Share, question_result, share_result
from review.reports.marks import marks_by_category
from review.reports.plain import plain_value
from review.retrieval.computing import HALVES, Seconds, compare_halves, curve_of, way_of
from review.retrieval.directions import T2V, VectorMatrix, directions_of, search
from review.threshold.computing import Labelled, estimate_thresholds, weight_of
from review.triplets.query import Query

KINDS_OF_CAPTIONS = ("general", "spatial", "temporal", "full_video")
GALLERY_OF = {"full_video": "videos"}
LEVELS = ("clips", "videos")
KEYS = "Vericap's own keys of what was counted."
Pairs = Iterator[tuple[str, VectorMatrix, VectorMatrix]]
About = dict[int, tuple[int, str]]


@dataclass(frozen=True)
class Recomputed:
    """`compute` returns the result, or the part of it that can be computed. `left_out`: dotted keys
    of the result that aren't computed from the files, with the reason; * is any key."""

    compute: Callable[[Parameters, Tables], object]
    left_out: Mapping[str, str] = field(default_factory=dict)


def _agreement(parameters: Parameters, tables: Tables) -> object:
    asked = {row["name"]: row for row in tables.rows("questions")}
    results = {name: question_result(Question(**row, labels=[])) for name, row in asked.items()}
    # The labels are sorted by question: those of one fit into memory, all of them may not.
    for name, rows in groupby(tables.rows("labels"), itemgetter("question")):
        results[name] = question_result(
            Question(
                **asked[name], labels=[(row["rater"], _unit(row), row["label"]) for row in rows]
            )
        )
    return {
        "questions": list(results.values()),
        "shares": [share_result(Share(**row)) for row in tables.rows("shares")],
    }


def _unit(row: Mapping[str, Any]) -> Any:
    return tuple(row["unit"]) if isinstance(row["unit"], list) else row["unit"]


def _capst(parameters: Parameters, tables: Tables) -> object:
    rows = list(tables.rows("judgments"))
    samples = [
        Sample(
            clip=row["clip"],
            category=row["category"],
            events=Judged(row["events_reference"], row["events_predicted"]),
            objects=Judged(row["objects_reference"], row["objects_predicted"]),
        )
        for row in rows
    ]
    return {
        **plain_value(score_captions(samples, parameters["preset"])),
        "category_marks": marks_by_category((row["category"], row["clip"]) for row in rows),
    }


def _correlation(parameters: Parameters, tables: Tables) -> object:
    ratings: dict[str, dict[str, float]] = {}
    for row in tables.rows("ratings"):
        ratings.setdefault(row["rating"], {})[row["system"]] = row["value"]
    metrics: dict[tuple[str, str], dict[str, float]] = {}
    for row in tables.rows("metrics"):
        metrics.setdefault((row["key"], row["name"]), {})[row["system"]] = row["value"]
    return correlate(ratings, [(*metric, values) for metric, values in metrics.items()])


def _identification(parameters: Parameters, tables: Tables) -> object:
    [texts] = tables.rows("texts")
    names = {row["clip"]: row["name"] for row in tables.rows("clips")}
    picks = [Pick(**row) for row in tables.rows("picks")]
    return count_picks(parameters["test"], texts["texts"], picks, names)


def _leaderboard(parameters: Parameters, tables: Tables) -> object:
    settings = cast(Settings, {key: parameters[key] for key in Settings.__annotations__})
    votes = [Cast(**row) for row in tables.rows("votes")]
    weights = None
    if "probabilities" in tables:
        drawn = {row["vote"]: row["probability"] for row in tables.rows("probabilities")}
        weights = inverse_weights(drawn, parameters["pairs"])
    return rate_models(votes, settings, parameters["both_bad"], VOTES_AT_ONCE, weights)


def _leakage(parameters: Parameters, tables: Tables) -> object:
    return count_leakage([ObjectCounts(**row) for row in tables.rows("clips")])


def _map(parameters: Parameters, tables: Tables) -> object:
    queries = [
        Query(**{**row, **{key: tuple(row[key]) for key in ("targets", "right_too")}})
        for row in tables.rows("queries")
    ]
    gallery = [row["clip"] for row in tables.rows("clips")]
    vectors = dict(zip(gallery, tables.vectors("clips_vectors"), strict=True))
    return score_baselines(queries, gallery, vectors, tables.vectors("texts_vectors"))


def _ratings(parameters: Parameters, tables: Tables) -> object:
    [stopping] = tables.rows("stopping")
    return summarize_parts(
        [Rated(**row) for row in tables.rows("ratings")],
        [row["caption"] for row in tables.rows("completed")],
        is_sequential=stopping["is_sequential"],
    )


def _recall(parameters: Parameters, tables: Tables) -> object:
    about = _about(tables)
    kinds: dict[str, Any] = {}
    without: dict[str, int] = {}
    dimension = 0
    for kind, texts, gallery in _pairs(tables):
        dimension = gallery.rows.shape[1]
        directions = directions_of(texts, gallery)
        without[kind] = len(texts) - len(directions[T2V].keys)
        kinds[kind] = {}
        for way, direction in directions.items():
            result = search(direction, about)
            kinds[kind][way] = asdict(way_of(result, curve_of(result, about), Seconds(0, 0)))
    return {"kinds": kinds, "without": without, "dimension": dimension}


def _rebias(parameters: Parameters, tables: Tables) -> object:
    pairs = (pair for pair in _pairs(tables) if pair[0] in HALVES)
    return compare_halves(pairs, _about(tables))


def _reliability(parameters: Parameters, tables: Tables) -> object:
    if "votes" in tables:
        votes = [Cast(**row) for row in tables.rows("votes")]
        return round_reliability(votes, parameters["both_bad"])
    if "ratings" in tables:
        return rating_reliability([StudyRating(**row) for row in tables.rows("ratings")])
    if "errors" in tables:
        return threshold_reliability([Counted(**row) for row in tables.rows("errors")])
    known_answers = [KnownRow(**row) for row in tables.rows("known")]
    if "task" not in tables:
        return kind_reliability(None, known_answers)
    [task] = tables.rows("task")
    labels = [(row["rater"], _unit(row), row["label"]) for row in tables.rows("labels")]
    return kind_reliability(Task(**task, labels=labels), known_answers)


def _statistics(parameters: Parameters, tables: Tables) -> object:
    lengths: dict[str, list[int]] = {level: [] for level in LEVELS}
    for row in tables.rows("items"):
        lengths[row["level"]].append(row["milliseconds"])
    captions: dict[str, dict[str, tuple[Counter[str], Counter[int]]]] = {
        level: {} for level in LEVELS
    }
    for row in tables.rows("captions"):
        of_level = captions[row["level"]]
        origins, words = of_level.setdefault(row["kind"], (Counter(), Counter()))
        origins[row["origin"]] += 1
        words[row["words"]] += 1
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


def _threshold(parameters: Parameters, tables: Tables) -> object:
    [stopping] = tables.rows("stopping")
    drawn = tables.rows("drawn") if "drawn" in tables else ()
    weights = {row["caption"]: weight_of(row["even"], row["probability"]) for row in drawn}
    return estimate_thresholds(
        [
            Labelled(
                row["caption"],
                row["score"],
                tuple(map(tuple, row["errors"])),
                weights.get(row["caption"], 1.0),
            )
            for row in tables.rows("captions")
        ],
        [row["caption"] for row in tables.rows("completed")],
        **stopping,
    )


def _pairs(tables: Tables) -> Pairs:
    for kind in KINDS_OF_CAPTIONS:
        if kind in tables:
            yield kind, _matrix(tables, kind), _matrix(tables, GALLERY_OF.get(kind, "clips"))


def _matrix(tables: Tables, part: str) -> VectorMatrix:
    rows = list(tables.rows(part))
    vectors = tables.vectors(f"{part}_vectors")
    if len(rows) != len(vectors):
        raise ValueError(f"{part} has {len(rows)} rows and {len(vectors)} vectors")
    keys, clips = ([row[name] for row in rows] for name in ("key", "clip"))
    return VectorMatrix(vectors, np.array(keys, np.int64), np.array(clips, np.int64))


def _about(tables: Tables) -> About:
    return {row["clip"]: (row["video"], row["category"]) for row in tables.rows("about")}


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
    "map": Recomputed(_map),
    "overlap": Recomputed(overlap),
    "ratings": Recomputed(_ratings),
    "rebias": Recomputed(_rebias, {"by_source": STATED}),
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
