"""Questions that several people answered, and measures of their agreement."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from metrics.agreement import (
    Agreement,
    Label,
    cohen_kappa,
    krippendorff_alpha,
    mean_pairwise_kappa,
    pairwise_matrix,
    percent_agreement,
    weighted_kappa,
)
from metrics.intervals import wilson_interval

N_BOOTSTRAP = 1000
SEED = 0
WEIGHTS = "quadratic"


@dataclass(frozen=True)
class Question:
    """Answers in long form, sorted by unit. `categories`: all possible answers, in rising order if
    they are `ordered`. `has_parts`: a unit is part of a larger item, which is its first element:
    the sentences of a caption, the targets of a query."""

    name: str
    categories: Sequence[Hashable]
    labels: Sequence[Label] = ()
    ordered: bool = False
    has_parts: bool = False


@dataclass(frozen=True)
class Share:
    """The share `count` / `of` of something other than agreement between people. `undefined`: why
    there is no share if `of` is 0."""

    name: str
    count: int
    of: int
    undefined: str


def by_rater(rater: str) -> tuple[int, int, str]:
    """Return a key that sorts people by their id, before labels by their text."""
    name = rater.partition(":")[2]
    return (0, int(name), "") if rater.startswith("user:") else (1, 0, name)


@dataclass(frozen=True)
class PairResult:
    """Two raters, by their place, who share `n_units` units: the share of equal labels, and
    kappa."""

    first: int
    second: int
    n_units: int
    equal: float
    kappa: float | None
    reason: str


@dataclass(frozen=True)
class QuestionResult:
    """`counts[rater][category]`, in the order of `raters` and `categories`, of all labels; the
    measures use only compared ones. `n_items`: the items whose units several people judged."""

    name: str
    ordered: bool
    categories: Sequence[Hashable]
    n_labels: int
    n_units: int
    raters: Sequence[str]
    counts: Sequence[Sequence[int]]
    measures: Sequence[Agreement]
    pairs: Sequence[PairResult]
    n_items: int


@dataclass(frozen=True)
class ShareResult:
    """A Share with Wilson's interval, which assumes independence."""

    name: str
    count: int
    of: int
    value: float | None
    low: float | None
    high: float | None
    reason: str


def question_result(question: Question) -> QuestionResult:
    raters = sorted({str(rater) for rater, _, _ in question.labels}, key=by_rater)
    labels = Counter((rater, label) for rater, _, label in question.labels)
    return QuestionResult(
        name=question.name,
        ordered=question.ordered,
        categories=list(question.categories),
        n_labels=len(question.labels),
        n_units=len({unit for _, unit, _ in question.labels}),
        raters=raters,
        counts=[[labels[rater, category] for category in question.categories] for rater in raters],
        measures=_measures(question),
        pairs=_pairs(question, raters),
        n_items=_items(question),
    )


def _items(question: Question) -> int:
    raters_of: dict[Any, set[Hashable]] = defaultdict(set)
    for rater, unit, _ in question.labels:
        raters_of[unit].add(rater)
    units = [unit for unit, raters in raters_of.items() if len(raters) > 1]
    return len({unit[0] for unit in units}) if question.has_parts else len(units)


def _measures(question: Question) -> list[Agreement]:
    """Return the measures. With two people, the mean of all pairs' kappas is Cohen's or weighted
    kappa.
    """
    labels = question.labels
    arguments: dict[str, Any] = {
        "scale": list(question.categories),
        "n_bootstrap": N_BOOTSTRAP,
        "seed": SEED,
    }
    if question.ordered:
        return [
            percent_agreement(labels, **arguments),
            mean_pairwise_kappa(labels, WEIGHTS, **arguments),
            krippendorff_alpha(labels, "ordinal", **arguments),
            krippendorff_alpha(labels, "interval", **arguments),
        ]
    return [
        percent_agreement(labels, **arguments),
        mean_pairwise_kappa(labels, **arguments),
        krippendorff_alpha(labels, "nominal", **arguments),
    ]


def _pairs(question: Question, raters: Sequence[str]) -> list[PairResult]:
    """Return, for every two people with common units, their number, the share of equal labels, and
    kappa.
    """
    scale = list(question.categories)
    kappa = partial(weighted_kappa, weights=WEIGHTS) if question.ordered else cohen_kappa
    equal = pairwise_matrix(question.labels, partial(percent_agreement, scale=scale))
    beyond = pairwise_matrix(question.labels, partial(kappa, scale=scale))
    place = {rater: number for number, rater in enumerate(beyond.raters)}
    pairs = []
    for first, rater in enumerate(raters):
        for second in range(first + 1, len(raters)):
            row, column = place[rater], place[raters[second]]
            agreement, share = beyond.cells[row][column], equal.cells[row][column]
            if not agreement or not share or not agreement.n_units or share.value is None:
                continue
            pairs.append(
                PairResult(
                    first=first,
                    second=second,
                    n_units=agreement.n_units,
                    equal=share.value,
                    kappa=agreement.value,
                    reason="" if agreement.value is not None else agreement.reason,
                )
            )
    return pairs


def share_result(share: Share) -> ShareResult:
    low, high = wilson_interval(share.count, share.of) or (None, None)
    return ShareResult(
        name=share.name,
        count=share.count,
        of=share.of,
        value=share.count / share.of if share.of else None,
        low=low,
        high=high,
        reason="" if share.of else share.undefined,
    )
