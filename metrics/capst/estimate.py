"""Recall, precision and F1 of events or of objects, with intervals over clips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

import numpy as np

from metrics.capst.judged import CONTRADICTION, ENTAILMENT, NEUTRAL
from metrics.capst.presets import Preset
from metrics.intervals import Array, percentile_interval, resampled

# The relationships of the elements of each sample's text; None without an answer.
Lists = Sequence[Sequence[str] | None]
Statistic = Callable[[Array], Array]


@dataclass(frozen=True)
class Estimate:
    """A share from 0 to 1 with its 95 % percentile bootstrap interval over clips. `value`, or only
    `low` and `high`, are None if undefined, and `reason` says why. `n_defined`: resamples with a
    value.
    """

    value: float | None
    low: float | None
    high: float | None
    reason: str
    n_defined: int


@dataclass(frozen=True)
class MeanShare(Estimate):
    """Recall or precision: the mean over samples of the share of entailed elements.

    `n`: samples that count. `n_empty`: lists without elements; the preset decides if they count.
    `n_failed`: lists without an answer. `n_dropped`: lists with an answer whose sample is left out
    because another of its lists failed. Only elements of samples that count are counted;
    `n_over_limit`: lists of these samples that are longer than the prompt allows.
    """

    n: int
    n_empty: int
    n_failed: int
    n_dropped: int
    n_elements: int
    n_entailed: int
    n_neutral: int
    n_contradicted: int
    n_over_limit: int


@dataclass(frozen=True)
class BranchScores:
    """Events or objects. `f1`: 2RP / (R + P) of the two means, not the mean of F1."""

    recall: MeanShare
    precision: MeanShare
    f1: Estimate


def f1_of(recall: float | None, precision: float | None) -> float | None:
    """Return 2RP / (R + P) of two means in the same unit, shares or percent.

    None if either is None. 0 if both are 0: F1 is at most twice the smaller of the two, so 0 is the
    only continuous value. Raises ValueError for negative numbers.
    """
    if recall is None or precision is None:
        return None
    if not (recall >= 0 and precision >= 0):
        raise ValueError(f"recall {recall} and precision {precision} must be numbers from 0")
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def share_of(relationships: Sequence[str] | None, rules: Preset) -> float | None:
    """Return the share of entailed elements, 0 to 1; None if the list is left out of the mean."""
    if relationships is None:
        return None
    if not relationships:
        return rules.empty
    return relationships.count(ENTAILMENT) / len(relationships)


def score_branch(
    reference: Lists,
    predicted: Lists,
    dropped: Sequence[bool],
    rules: Preset,
    n_bootstrap: int,
    seed: int,
) -> BranchScores:
    """Score the lists of all samples. `dropped`: for each sample, whether it is left
    out entirely.
    """
    shares = np.array([_shares(side, dropped, rules) for side in (reference, predicted)])
    shares = shares[:, ~np.isnan(shares).all(axis=0)]
    # Sorted, so that the resamples of a seed don't depend on the order of the samples.
    shares = shares[:, np.lexsort(shares)]
    n_recall, n_precision = (~np.isnan(shares)).sum(axis=1).tolist()
    recall, precision = (_mean(side) for side in shares)
    recalls, precisions = (_means(side) for side in shares)

    def estimate(value: float | None, of: Statistic, n_units: int, undefined: str) -> Estimate:
        if value is None:
            return Estimate(None, None, None, undefined, 0)
        # A number based on one clip has no interval, even if other numbers are based on more.
        resamples = resampled(of, shares.shape[1], n_bootstrap, seed)
        low, high, reason = percentile_interval(resamples, n_units, n_bootstrap)
        return Estimate(value, low, high, reason, len(resamples))

    no_recall = "No sample has an element of the reference that was judged."
    no_precision = "No sample has an element of the prediction that was judged."
    recall_estimate = estimate(recall, recalls, n_recall, no_recall)
    precision_estimate = estimate(precision, precisions, n_precision, no_precision)
    f1_estimate = estimate(
        f1_of(recall, precision),
        lambda times: _f1s(recalls(times), precisions(times)),
        min(n_recall, n_precision),
        no_recall if recall is None else no_precision,
    )
    return BranchScores(
        recall=_with_counts(recall_estimate, n_recall, reference, dropped, rules),
        precision=_with_counts(precision_estimate, n_precision, predicted, dropped, rules),
        f1=f1_estimate,
    )


def _shares(lists: Lists, dropped: Sequence[bool], rules: Preset) -> list[float]:
    """Return one share per sample, NaN if it is left out."""
    shares = [
        None if gone else share_of(relations, rules)
        for relations, gone in zip(lists, dropped, strict=True)
    ]
    return [float("nan") if share is None else share for share in shares]


def _mean(shares: Array) -> float | None:
    # Exactly rounded, so that it does not depend on the order.
    defined = shares[~np.isnan(shares)].tolist()
    return fmean(defined) if defined else None


def _means(shares: Array) -> Statistic:
    defined, filled = (~np.isnan(shares)).astype(float), np.nan_to_num(shares)

    def means(times: Array) -> Array:
        n = times @ defined
        drawn: Array = (times @ filled) / np.where(n == 0, np.nan, n)
        return drawn

    return means


def _f1s(recalls: Array, precisions: Array) -> Array:
    total = recalls + precisions
    f1s: Array = 2 * recalls * precisions / np.where(total == 0, 1, total)
    return f1s


def _with_counts(
    estimate: Estimate, n: int, lists: Lists, dropped: Sequence[bool], rules: Preset
) -> MeanShare:
    answered = [
        relations
        for relations, gone in zip(lists, dropped, strict=True)
        if relations is not None and not gone
    ]
    n_failed = sum(relations is None for relations in lists)
    limit = rules.most_elements
    return MeanShare(
        **asdict(estimate),
        n=n,
        n_empty=sum(not relations for relations in answered),
        n_failed=n_failed,
        n_dropped=len(lists) - len(answered) - n_failed,
        n_elements=sum(len(relations) for relations in answered),
        n_entailed=sum(relations.count(ENTAILMENT) for relations in answered),
        n_neutral=sum(relations.count(NEUTRAL) for relations in answered),
        n_contradicted=sum(relations.count(CONTRADICTION) for relations in answered),
        n_over_limit=0 if limit is None else sum(len(relations) > limit for relations in answered),
    )
