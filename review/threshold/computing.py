"""Estimate the score from which a caption is good enough, from labels alone (LoVR, section 3.2.2,
Figure 4a, appendix B.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from metrics.design import effective_size
from metrics.pairwise import stops
from metrics.sequential import planned_looks
from metrics.threshold import (
    LEAST_CAPTIONS,
    RULES,
    MonotoneFit,
    ThresholdEstimate,
    auc,
    estimate_threshold,
    monotone_fit,
    spearman,
)
from review.studies.precision import FIXED, LOOKS, N_LOOKS, Course, Step

# The paper leaves open whether a sentence with A#B has one error or two.
COUNTINGS = ("per_type", "per_sentence")
N_BOOTSTRAP = 1000
TARGET = 0.1
SEED = 0


class Labelled(NamedTuple):
    """A caption of the sample: its score, the errors of each verification by each counting, and the
    inverse of how probable it was to be drawn, beside the plain design.
    """

    caption: int
    score: float
    errors: tuple[tuple[int, int], ...]
    weight: float = 1.0


def weight_of(even: float, probability: float) -> float:
    """Return how much a caption counts that the plain design draws with the probability `even`."""
    return even / probability


class Point(NamedTuple):
    """A caption with its score and its mean errors by each counting."""

    caption: int
    score: float
    per_type: float
    per_sentence: float

    def errors(self, counting: str) -> float:
        """Return the errors by this counting of COUNTINGS."""
        return self.per_type if counting == COUNTINGS[0] else self.per_sentence


@dataclass(frozen=True)
class Counted:
    """The results of one counting: the estimate of each of RULES, the correlation of scores and
    errors, and the non-increasing fit.
    """

    rules: Mapping[str, ThresholdEstimate]
    spearman: float | None
    auc: float | None
    fit: MonotoneFit


@dataclass(frozen=True)
class Thresholds:
    """`course`: the course of the change point of the errors by type. `effective`: the number of
    captions of the plain design with equal information, None if all weights are equal.
    """

    points: Sequence[Point]
    per_type: Counted
    per_sentence: Counted
    course: Course | None = None
    effective: float | None = None

    def counted(self, counting: str) -> Counted:
        """Return the results of this counting of COUNTINGS."""
        counted: Counted = getattr(self, counting)
        return counted


def estimate_thresholds(
    labelled: Sequence[Labelled],
    completed: Sequence[int] = (),
    *,
    asked: int = 0,
    is_sequential: bool = False,
) -> Thresholds:
    """Return the thresholds. `completed`: the captions, in order of completion by all assigned
    people, out of `asked`. `is_sequential`: a stopping rule uses the intervals of planned looks,
    which must then hold together.
    """
    looks = N_LOOKS if is_sequential else 1
    scores = [caption.score for caption in labelled]
    weights = [caption.weight for caption in labelled]
    means = [
        [fmean(counts[place] for counts in caption.errors) for place in range(len(COUNTINGS))]
        for caption in labelled
    ]
    by_type, by_sentence = (
        _counted(scores, [mean[place] for mean in means], weights, looks)
        for place in range(len(COUNTINGS))
    )
    points = [
        Point(caption.caption, caption.score, *mean)
        for caption, mean in zip(labelled, means, strict=True)
    ]
    return Thresholds(
        points,
        by_type,
        by_sentence,
        _course(points, weights, completed, asked, looks),
        effective_size(weights) if len(set(weights)) > 1 else None,
    )


def _course(
    points: Sequence[Point],
    weights: Sequence[float],
    completed: Sequence[int],
    asked: int,
    looks: int,
) -> Course:
    """Return the change point after the planned looks, or after as many even parts."""
    place_of = {point.caption: place for place, point in enumerate(points)}
    order = [place_of[caption] for caption in completed if caption in place_of]
    if looks > 1 and asked >= LEAST_CAPTIONS:
        after = planned_looks(asked, looks, LEAST_CAPTIONS).after
    else:
        after = tuple(stops(len(order), N_LOOKS))
    steps = []
    for n in after:
        if LEAST_CAPTIONS <= n <= len(order):
            places = order[:n]
            made = estimate_threshold(
                [points[place].score for place in places],
                [points[place].per_type for place in places],
                n_bootstrap=N_BOOTSTRAP,
                seed=SEED,
                weights=[weights[place] for place in places],
                looks=looks,
            )
            steps.append(Step(n, made.threshold, made.low, made.high))
    return Course(steps, LOOKS if looks > 1 else FIXED)


def _counted(scores: list[float], errors: list[float], weights: list[float], looks: int) -> Counted:
    return Counted(
        rules={
            rule: estimate_threshold(
                scores,
                errors,
                rule,
                n_bootstrap=N_BOOTSTRAP,
                seed=SEED,
                target=TARGET,
                weights=weights,
                looks=looks,
            )
            for rule in RULES
        },
        spearman=spearman(scores, errors, weights),
        auc=auc(scores, errors, weights),
        fit=monotone_fit(scores, errors, weights),
    )
