"""mAP@K of retrieval by a clip, a text and both, from vectors (TF-CoVR, section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from metrics.retrieval import (
    MeanAveragePrecision,
    rank_gallery,
    tfcovr_mean_average_precision,
)
from review.composed.scoring import (
    KS,
    Scores,
    as_scores,
    deepest_rank,
    score_circo,
    score_unlimited,
)
from review.triplets.query import Query

SHOWN = 10
BASELINES = ("query", "text", "average")


@dataclass(frozen=True)
class BaselineScores:
    """The scores of each convention."""

    circo: Scores
    tfcovr: Scores
    unlimited: Scores

    def by(self, convention: str) -> Scores:
        """Return the scores by this convention of CONVENTIONS."""
        return {"circo": self.circo, "unlimited": self.unlimited, "tfcovr": self.tfcovr}[convention]


@dataclass(frozen=True)
class AskedFor:
    """A query with its key, clip, modification, targets, and the other right clips."""

    key: int
    clip: int
    text: str
    targets: Sequence[int]
    right_too: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True)
class ComposedScores:
    """`baselines`: scores by name. Without scores, `reason` says why, and `mend` names the fix:
    "split", "embed" or "model".
    """

    baselines: Mapping[str, BaselineScores] = field(default_factory=dict)
    reason: str = ""
    mend: str = ""


@dataclass(frozen=True, kw_only=True)
class Composed(ComposedScores):
    """`queries`: the test queries. `rankings`: by baseline and key of a query, the first SHOWN
    clips, and the right clips between them that don't count.
    """

    queries: Sequence[AskedFor] = ()
    rankings: Mapping[str, Mapping[int, Sequence[int]]] = field(default_factory=dict)


def compose(baseline: str, clips: np.ndarray, texts: np.ndarray) -> np.ndarray:
    """Return the (queries, dimension) vectors of composed queries. `baseline`: of BASELINES;
    `clips`, `texts`: (queries, dimension) unit vectors of the query clips and the modifications.
    """
    composed: dict[str, np.ndarray] = {
        "query": clips,
        "text": texts,
        "average": (clips + texts) / 2,
    }
    return composed[baseline]


def _first_counted(ranking: Sequence[int], query: Query) -> Sequence[int]:
    """Return the first SHOWN clips that count, and the omitted right clips between them."""
    left_out, counted = set(query.right_too), 0
    for place, clip in enumerate(ranking):
        counted += clip not in left_out
        if counted == SHOWN:
            return ranking[: place + 1]
    return ranking


def _as_in_tfcovr(
    composed: np.ndarray,
    primary: Sequence[int],
    vectors: Mapping[int, np.ndarray],
    queries: Sequence[Query],
) -> MeanAveragePrecision:
    """Return the gallery of TF-CoVR's code: the first target of each query, row by row."""
    rows = np.stack([vectors[clip] for clip in primary])
    own = [[row for row, clip in enumerate(primary) if clip == query.clip] for query in queries]
    ranked = rank_gallery(composed, rows, max(KS), masked=own)
    rankings = [[primary[row] for row in places] for places in ranked]
    return tfcovr_mean_average_precision(rankings, [query.targets for query in queries], KS)


def score_baselines(
    queries: Sequence[Query],
    gallery: Sequence[int],
    vectors: Mapping[int, np.ndarray],
    texts: np.ndarray,
) -> Composed:
    """Return the scores of each of BASELINES. `vectors`: of each clip of the gallery; `texts`:
    (queries, dimension) unit vectors of the modifications.
    """
    place_of = {clip: place for place, clip in enumerate(gallery)}
    matrix = np.stack([vectors[clip] for clip in gallery])
    clips = np.stack([vectors[query.clip] for query in queries])
    primary = [query.targets[0] for query in queries]
    deepest = deepest_rank(queries)
    scores: dict[str, BaselineScores] = {}
    first: dict[str, Mapping[int, Sequence[int]]] = {}
    for baseline in BASELINES:
        composed = compose(baseline, clips, texts)
        ranked = rank_gallery(
            composed, matrix, deepest, masked=[[place_of[query.clip]] for query in queries]
        )
        rankings = [[gallery[place] for place in places] for places in ranked]
        scores[baseline] = BaselineScores(
            circo=as_scores(score_circo(rankings, queries)),
            unlimited=as_scores(score_unlimited(rankings, queries)),
            tfcovr=as_scores(_as_in_tfcovr(composed, primary, vectors, queries)),
        )
        first[baseline] = {
            query.key: _first_counted(ranking, query)
            for query, ranking in zip(queries, rankings, strict=True)
        }
    scored = [
        AskedFor(query.key, query.clip, query.text, list(query.targets), list(query.right_too))
        for query in queries
    ]
    return Composed(baselines=scores, queries=scored, rankings=first)
