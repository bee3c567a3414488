"""The numbers of the reports on reliability, from plain rows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from metrics.agreement import Label, krippendorff_alpha, percent_agreement
from metrics.pairwise import bradley_terry
from metrics.pairwise.strength import BradleyTerry
from metrics.ratings import summarize_ratings
from metrics.reliability import (
    Known,
    crowd_bradley_terry,
    dawid_skene,
    estimate_reliability,
    majority_shares,
    share_intervals,
    weighted_alpha,
)
from metrics.reliability.crowd_strength import CrowdBradleyTerry
from metrics.threshold import RULES, estimate_threshold
from review.comparisons.cast import Cast
from review.leaderboard.computing import PREFIX, Fitted
from review.reliability.results import (
    Agreed,
    AgreedWithout,
    AgreementBeside,
    Consensus,
    Counted,
    Figures,
    FiguresWithout,
    KindReliability,
    KnownRow,
    MajorityWithout,
    PersonReliability,
    RatedWithout,
    RightRate,
    RoundReliability,
    StudyRating,
    StudyReliability,
    Task,
)

# Above this product of labels and people, nobody is left out in turn: it would take minutes.
MAX_LEFT_OUT = 5_000_000
TOO_MANY = "There are too many labels to leave out each person in turn."
ANY, LETTERS, NO, YES = "any", "ABCD", "no", "yes"
TARGET = 0.1
N_BOOTSTRAP = 1000
SEED = 0
COUNTINGS = ("per_type", "per_sentence")


def kind_reliability(task: Task | None, known_answers: Sequence[KnownRow]) -> KindReliability:
    """Compute the reliability in a kind of work. `task`: None without comparable labels."""
    categories: Sequence[Hashable] = task.categories if task else (NO, YES)
    labels: Sequence[Label] = task.labels if task else ()
    tolerance = task.tolerance if task else 0
    everything = [
        *(Known(row.rater, row.gold_right, row.gold) for row in known_answers),
        *(Known(row.rater, row.checks_right, row.checks) for row in known_answers),
    ]
    visible = [Known(row.rater, row.ended_right, row.ended) for row in known_answers]
    estimates = estimate_reliability(labels, categories, everything, tolerance=tolerance)
    own = estimate_reliability(labels, categories, visible, tolerance=tolerance)
    own_of = {person.rater: person for person in own.people}
    known_of = {row.rater: row for row in known_answers}
    people = []
    for person in estimates.people:
        rater = str(person.rater)
        row = known_of.get(rater, KnownRow(rater, 0, 0, 0, 0, 0, 0))
        people.append(
            PersonReliability(
                rater=rater,
                gold_right=row.gold_right,
                gold=row.gold,
                checks_right=row.checks_right,
                checks=row.checks,
                estimate=person,
                own=own_of[person.rater],
            )
        )
    return KindReliability(
        people=people,
        n_units=estimates.n_units,
        n_answers=estimates.n_answers,
        tolerance=estimates.tolerance,
        imagined=estimates.imagined,
        agreement=_agreement(task, people) if task and task.labels else None,
        consensus=_consensus(task) if task and task.labels and task.has_consensus else [],
    )


def round_reliability(cast: Sequence[Cast]) -> RoundReliability:
    """Compute the reliability in a round. `cast`: its votes in the order of counting."""
    votes = [vote for vote in cast if not vote.why]
    crowd = crowd_bradley_terry(
        _rows(votes), [vote.rater for vote in votes], [vote.clip for vote in votes]
    )
    raters = list(dict.fromkeys(vote.rater for vote in votes))
    return RoundReliability(
        crowd=_rated(crowd),
        people=crowd.people,
        has_converged=crowd.has_converged,
        everybody=_rated(_strengths(votes)),
        without=[
            RatedWithout(
                rater,
                sum(vote.rater == rater for vote in votes),
                _rated(_strengths([vote for vote in votes if vote.rater != rater])),
            )
            for rater in raters
        ],
    )


def rating_reliability(rows: Sequence[StudyRating]) -> StudyReliability:
    def figures(kept: Sequence[StudyRating]) -> Figures:
        ratings = [(row.rater, row.caption, row.value) for row in kept]
        if not ratings:
            return Figures({"mean": None, "alpha": None}, 0)
        summary = summarize_ratings(ratings, n_bootstrap=0)
        alpha = krippendorff_alpha(ratings, "interval", n_bootstrap=0)
        return Figures({"mean": summary.mean, "alpha": alpha.value}, summary.n_captions)

    return StudyReliability(
        figures(rows),
        [
            FiguresWithout(rater, figures([row for row in rows if row.rater != rater]))
            for rater in dict.fromkeys(row.rater for row in rows)
        ],
    )


def threshold_reliability(rows: Sequence[Counted]) -> StudyReliability:
    """Compute the reliability in a threshold study. `rows`: of the captions that count. Without a
    person, a caption has the mean errors of the others, and captions that nobody else verified are
    left out."""

    def figures(kept: Sequence[Counted]) -> Figures:
        by_caption: dict[int, list[Counted]] = {}
        for row in kept:
            by_caption.setdefault(row.caption, []).append(row)
        scores = [own[0].score for own in by_caption.values()]
        values: dict[str, float | None] = {}
        for counting in COUNTINGS:
            errors = [
                float(np.mean([getattr(row, counting) for row in own]))
                for own in by_caption.values()
            ]
            for rule in RULES:
                estimate = estimate_threshold(scores, errors, rule, 0, target=TARGET)
                values[f"{counting}.{rule}"] = estimate.threshold
            values[f"{counting}.errors"] = float(np.mean(errors)) if errors else None
        return Figures(values, len(by_caption))

    return StudyReliability(
        figures(rows),
        [
            FiguresWithout(rater, figures([row for row in rows if row.rater != rater]))
            for rater in dict.fromkeys(row.rater for row in rows)
        ],
    )


def _agreement(task: Task, people: Sequence[PersonReliability]) -> AgreementBeside:
    # A repeat measures consistency; compare the first label with those of others.
    first: dict[tuple[Hashable, Hashable], Label] = {}
    for row in task.labels:
        first.setdefault((row[0], row[1]), row)
    labels = list(first.values())
    level = "ordinal" if task.ordered else "nominal"
    weights: dict[Hashable, float] = {
        person.rater: person.estimate.beyond_chance or 0.0 for person in people
    }
    resampling: dict[str, Any] = {"n_bootstrap": N_BOOTSTRAP, "seed": SEED}
    weighted = weighted_alpha(labels, weights, level, scale=task.categories, **resampling)
    raters = list(dict.fromkeys(str(row[0]) for row in labels))
    is_too_large = len(labels) * len(raters) > MAX_LEFT_OUT

    def agreed(kept: Sequence[Label], n_bootstrap: int = 0) -> Agreed:
        scale = task.categories
        equal = percent_agreement(kept, scale=scale, n_bootstrap=0)
        alpha = krippendorff_alpha(kept, level, scale=scale, n_bootstrap=n_bootstrap, seed=SEED)
        reason = alpha.reason if alpha.value is None else ""
        return Agreed(equal.value, alpha.value, reason, alpha.n_units, alpha.low, alpha.high)

    return AgreementBeside(
        level=level,
        everybody=agreed(labels, N_BOOTSTRAP),
        weighted=weighted.value,
        weighted_reason=weighted.reason,
        without=[]
        if is_too_large
        else [
            AgreedWithout(rater, agreed([row for row in labels if row[0] != rater]))
            for rater in raters
        ],
        left_out_reason=TOO_MANY if is_too_large else "",
        weighted_low=weighted.low,
        weighted_high=weighted.high,
    )


def _consensus(task: Task) -> list[Consensus]:
    if not task.has_letters:
        return [_consensus_on("", task.categories, task.labels)]
    letters = [
        (
            letter,
            [
                (rater, unit, YES if letter in str(label) else NO)
                for rater, unit, label in task.labels
            ],
        )
        for letter in LETTERS
    ]
    faulty = [
        (rater, unit, NO if label == task.categories[0] else YES)
        for rater, unit, label in task.labels
    ]
    return [_consensus_on(name, (NO, YES), rows) for name, rows in [(ANY, faulty), *letters]]


def _consensus_on(
    question: str, categories: Sequence[Hashable], labels: Sequence[Label]
) -> Consensus:
    result = dawid_skene(labels, categories)
    raters = list(dict.fromkeys(str(row[0]) for row in labels))
    is_too_large = len(labels) * len(raters) > MAX_LEFT_OUT
    sizes: dict[Hashable, int] = {}
    for _, unit, _ in labels:
        sizes[unit] = sizes.get(unit, 0) + 1
    is_compared = np.array([sizes[unit] > 1 for unit in result.units], dtype=bool)
    has_changed = is_compared & (result.consensus != result.majority)
    return Consensus(
        question=question,
        labels=list(categories),
        majority=list(result.majority_shares),
        shares=list(result.shares),
        n_units=len(result.units),
        n_compared=int(is_compared.sum()),
        n_changed=int(has_changed.sum()),
        people=[
            RightRate(str(rater), np.diag(matrix).tolist())
            for rater, matrix in zip(result.raters, result.matrices, strict=True)
        ],
        without=[
            MajorityWithout(
                rater, majority_shares([row for row in labels if row[0] != rater], categories)
            )
            for rater in (() if is_too_large else raters)
        ],
        reason=result.reason,
        intervals=share_intervals(labels, result, n_bootstrap=N_BOOTSTRAP, seed=SEED),
    )


def _rows(votes: Sequence[Cast]) -> list[tuple[str, str, str]]:
    return [(f"{PREFIX}{vote.left}", f"{PREFIX}{vote.right}", vote.outcome) for vote in votes]


def _strengths(votes: Sequence[Cast]) -> BradleyTerry:
    return bradley_terry(
        _rows(votes), [vote.rater for vote in votes], [vote.clip for vote in votes]
    )


def _rated(rated: BradleyTerry | CrowdBradleyTerry) -> Fitted:
    def by_key(values: Mapping[str, float]) -> dict[str, float]:
        return {key.removeprefix(PREFIX): value for key, value in values.items()}

    none: dict[str, float | None] = dict.fromkeys(by_key(rated.ratings))
    ranks = rated.ranks
    return Fitted(
        ratings=by_key(rated.ratings),
        low={**none, **by_key(rated.low)},
        high={**none, **by_key(rated.high)},
        ranks=None
        if ranks is None
        else {key.removeprefix(PREFIX): rank for key, rank in ranks.items()},
        reason=rated.reason,
    )
