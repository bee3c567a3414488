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
    MIN_CAPTIONS,
    RULES,
    MonotoneFit,
    ThresholdEstimate,
    auc,
    estimate_threshold,
    monotone_fit,
    spearman,
)
from review.studies.precision import Course, Step

# The paper leaves open whether a sentence with A#B has one error or two.
COUNTINGS = ("per_type", "per_sentence")
N_BOOTSTRAP = 1000
TARGET = 0.1
SEED = 0
N_LOOKS = 5


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


def estimate_thresholds(labelled: Sequence[Labelled], completed: Sequence[int] = ()) -> Thresholds:
    """Return the thresholds. `completed`: the captions, in order of completion by all assigned
    people.
    """
    scores = [caption.score for caption in labelled]
    weights = [caption.weight for caption in labelled]
    points = [_point(caption) for caption in labelled]
    by_type, by_sentence = (
        _counted(scores, [point.errors(counting) for point in points], weights)
        for counting in COUNTINGS
    )
    after = stops(len(_in_order(labelled, completed)), N_LOOKS)
    steps = [change_point_after(n, labelled, completed) for n in after if n >= MIN_CAPTIONS]
    return Thresholds(
        points,
        by_type,
        by_sentence,
        Course(steps),
        effective_size(weights) if len(set(weights)) > 1 else None,
    )


def at_last_look(labelled: Sequence[Labelled], completed: Sequence[int], size: int) -> Step | None:
    """Return the change point after the last of five planned looks at `size` captions, whose
    intervals hold together; None before the first.
    """
    if size < MIN_CAPTIONS:
        return None
    looks = planned_looks(size, N_LOOKS, MIN_CAPTIONS)
    n = looks.reached(len(_in_order(labelled, completed)))
    return None if n is None else change_point_after(n, labelled, completed, looks=N_LOOKS)


def change_point_after(
    n: int, labelled: Sequence[Labelled], completed: Sequence[int], looks: int = 1
) -> Step:
    """Return the change point of the errors by type after the first `n` captions."""
    first = _in_order(labelled, completed)[:n]
    points = [_point(caption) for caption in first]
    made = estimate_threshold(
        [point.score for point in points],
        [point.per_type for point in points],
        n_bootstrap=N_BOOTSTRAP,
        seed=SEED,
        weights=[caption.weight for caption in first],
        looks=looks,
    )
    return Step(n, made.threshold, made.low, made.high)


def _in_order(labelled: Sequence[Labelled], completed: Sequence[int]) -> list[Labelled]:
    by_key = {caption.caption: caption for caption in labelled}
    return [by_key[caption] for caption in completed if caption in by_key]


def _point(caption: Labelled) -> Point:
    means = (fmean(counts[place] for counts in caption.errors) for place in range(len(COUNTINGS)))
    return Point(caption.caption, caption.score, *means)


def _counted(scores: list[float], errors: list[float], weights: list[float]) -> Counted:
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
            )
            for rule in RULES
        },
        spearman=spearman(scores, errors, weights),
        auc=auc(scores, errors, weights),
        fit=monotone_fit(scores, errors, weights),
    )
