"""Reliability: hand-worked cases, planted people, crowd-kit, and a second implementation."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from metrics.agreement import krippendorff_alpha
from metrics.pairwise import bradley_terry
from metrics.reliability import (
    Known,
    crowd_bradley_terry,
    dawid_skene,
    estimate_reliability,
    weighted_alpha,
)
from tests.metrics.planted_labels import SCALE, one_coin_matrix, planted_labels
from tests.metrics.planted_votes import planted_votes

CROWD_KIT = json.loads((Path(__file__).parent / "golden" / "crowd_kit.json").read_text())
NOTHING_IMAGINED = (0.0, 0.0)


def by_rater(estimate):
    return {person.rater: person for person in estimate.people}


# One estimate from gold, spot checks, repeats and agreement.


def test_known_answers_alone_are_a_share_with_four_imagined_answers():
    [person] = estimate_reliability([], SCALE, [Known("anna", 20, 24), Known("anna", 7, 8)]).people
    value = (27 + 3) / (32 + 4)
    assert person.value == pytest.approx(value)
    # By hand: the log-odds ln 5 have the variance 1 / (36 · 5/6 · 1/6) = 0.2.
    low, high = (1 / (1 + np.exp(-(np.log(5) + side * 1.959964 * 0.2**0.5))) for side in (-1, 1))
    assert (person.low, person.high) == (pytest.approx(low), pytest.approx(high))
    assert person.beyond_chance == pytest.approx((value - 1 / 3) / (2 / 3))
    assert (person.known, person.compared) == (32, 0)


def test_it_recovers_planted_people_with_honest_intervals():
    inside = people = 0
    for seed in range(10):
        planted = planted_labels(seed=seed)
        for person in estimate_reliability(planted.labels, SCALE).people:
            right = planted.reliabilities[person.rater]
            assert person.value == pytest.approx(right, abs=0.13)
            inside += person.low <= right <= person.high
            people += 1
    assert people == 70
    assert inside >= 62  # 95 % of 70 are 66.5, with a standard deviation of 1.8


def test_it_agrees_with_crowd_kit():
    golden = CROWD_KIT["one_coin"]
    estimate = estimate_reliability(planted_labels().labels, SCALE, imagined=NOTHING_IMAGINED)
    values = {person.rater: person.value for person in estimate.people}
    assert values == pytest.approx(golden["reliabilities"], abs=1e-5)
    assert estimate.shares == pytest.approx(golden["shares"], abs=1e-5)


def test_the_information_is_the_curvature_of_the_likelihood():
    labels = planted_labels(n_units=20, seed=3).labels
    known_answers = [Known("person 0", 8, 9)]
    estimate = estimate_reliability(labels, SCALE, known_answers)
    people = [person.rater for person in estimate.people]
    by_unit = {}
    for rater, unit, label in labels:
        by_unit.setdefault(unit, []).append((people.index(rater), SCALE.index(label)))

    def penalized(log_odds):
        values = 1 / (1 + np.exp(-log_odds))
        total = 3 * np.log(values).sum() + np.log1p(-values).sum()
        place = people.index("person 0")
        total += 8 * np.log(values[place]) + np.log1p(-values[place])
        for answers in by_unit.values():
            total += np.log(
                sum(
                    share
                    * np.prod(
                        [
                            values[i] if answer == right else (1 - values[i]) / (len(SCALE) - 1)
                            for i, answer in answers
                        ]
                    )
                    for right, share in enumerate(estimate.shares)
                )
            )
        return -total

    best = np.array([np.log(person.value / (1 - person.value)) for person in estimate.people])
    optimum = minimize(penalized, best, method="BFGS", options={"gtol": 1e-6})
    assert optimum.x == pytest.approx(best, abs=1e-3)
    step = 1e-3
    unit = np.eye(len(best)) * step
    curvature = np.array(
        [
            [
                penalized(best + a + b)
                - penalized(best + a - b)
                - penalized(best - a + b)
                + penalized(best - a - b)
                for b in unit
            ]
            for a in unit
        ]
    ) / (4 * step**2)
    spread = np.sqrt(np.diag(np.linalg.inv(curvature)))
    low = [1 / (1 + np.exp(-(x - 1.959964 * s))) for x, s in zip(best, spread, strict=True)]
    assert [person.low for person in estimate.people] == pytest.approx(low, rel=1e-3)


def test_a_repeat_says_that_somebody_is_consistent():
    steady = [("anna", unit, "ab"[unit % 2]) for unit in range(30)] * 2
    moody = [("anna", unit, "ab"[unit % 2]) for unit in range(30)]
    moody += [("anna", unit, "ab"[(unit // 2) % 2]) for unit in range(30)]
    values = [estimate_reliability(labels, "ab").people[0].value for labels in (steady, moody)]
    assert values[0] > 0.9 > 0.8 > values[1]


def test_a_rating_near_the_right_one_counts_as_right():
    random = np.random.default_rng(0)
    right = random.integers(0, 6, 300)
    near = {"anna": 1, "ben": 1, "cleo": 1, "dan": 5}
    labels = [
        (name, unit, int(np.clip(value + random.integers(-away, away + 1), 0, 5)))
        for name, away in near.items()
        for unit, value in enumerate(right)
    ]
    people = by_rater(estimate_reliability(labels, range(6), tolerance=1))
    assert min(people[name].value for name in ("anna", "ben", "cleo")) > 0.95
    assert people["dan"].value < 0.7


def test_known_answers_break_the_tie_of_two_people_who_differ():
    labels = [("anna", unit, "a") for unit in range(40)] + [
        ("ben", unit, "b") for unit in range(40)
    ]
    people = by_rater(estimate_reliability(labels, "ab", [Known("anna", 38, 40)]))
    assert people["anna"].value > 0.9
    assert people["ben"].value < 0.3


def test_without_imagined_answers_nobody_who_is_always_right_is_known_well():
    labels = [(name, unit, "xy"[unit % 2]) for unit in range(6) for name in ("Anna", "Ben")]
    people = estimate_reliability(labels, "xy", imagined=(0, 0)).people
    assert [(round(person.value, 6), person.low, person.high) for person in people] == [
        (1, 0, 1),
        (1, 0, 1),
    ]


def test_nothing_known_is_undefined_with_a_reason():
    [person] = estimate_reliability([("anna", 1, "a")], SCALE).people
    assert (person.value, person.low, person.high) == (None, None, None)
    assert person.reason.startswith("Neither known answers nor units")
    assert estimate_reliability([], SCALE).people == ()


@pytest.mark.parametrize(
    ("labels", "scale", "known_answers", "tolerance", "words"),
    [
        ([("anna", 1, "x")], "ab", [], 0, "'x' is not on the scale"),
        ([], "aa", [], 0, "twice"),
        ([], "ab", [], 1, "says nothing"),
        ([], "ab", [Known("anna", 3, 2)], 0, "3 of 2 answers"),
    ],
)
def test_it_refuses_what_makes_no_sense(labels, scale, known_answers, tolerance, words):
    with pytest.raises(ValueError, match=words):
        estimate_reliability(labels, scale, known_answers, tolerance=tolerance)


# Dawid and Skene.


def test_dawid_skene_agrees_with_crowd_kit():
    golden = CROWD_KIT["dawid_skene"]
    planted = planted_labels()
    result = dawid_skene(planted.labels, SCALE, imagined=0)
    assert result.units == tuple(range(400))
    assert result.shares == pytest.approx(golden["shares"], abs=1e-4)
    assert result.probabilities == pytest.approx(np.array(golden["probabilities"]), abs=1e-3)
    for place, rater in enumerate(result.raters):
        assert result.matrices[place] == pytest.approx(
            np.array(golden["matrices"][rater]), abs=1e-3
        )


def lenient(misses):
    """Somebody who takes c for a with this probability, and a and b for what they are."""
    matrix = one_coin_matrix(0.95)
    matrix[2] = [misses, 0.02, 0.98 - misses]
    return matrix


def test_it_corrects_for_a_majority_that_overlooks_an_error():
    matrices = [one_coin_matrix(0.95)] * 2 + [lenient(0.6)] * 3
    planted = planted_labels(matrices, n_units=600, per_unit=5, seed=1)
    result = dawid_skene(planted.labels, SCALE)
    right = np.array([SCALE.index(label) for label in planted.right])
    assert (result.consensus == right).mean() > (result.majority == right).mean() + 0.03
    share = (right == 2).mean()
    assert result.shares[2] == pytest.approx(share, abs=0.03)
    assert result.majority_shares[2] < share - 0.03
    for place, rater in enumerate(result.raters):
        assert result.matrices[place] == pytest.approx(planted.matrices[rater], abs=0.12)


def test_there_is_no_majority_where_two_labels_are_equally_frequent():
    labels = [("anna", 1, "a"), ("ben", 1, "b"), ("anna", 2, "a"), ("ben", 2, "a")]
    result = dawid_skene(labels, "ab")
    assert result.majority.tolist() == [-1, 0]
    assert result.majority_shares == (0.75, 0.25)


def test_without_shared_units_nothing_says_who_is_right():
    assert dawid_skene([], "ab").reason == "There are no labels yet."
    alone = dawid_skene([("anna", 1, "a"), ("ben", 2, "b")], "ab")
    assert alone.reason.startswith("No two people")
    assert alone.consensus.tolist() == alone.majority.tolist() == []


# Bradley-Terry with the quality of people.

QUALITIES = (0.98, 0.95, 0.9, 0.9, 0.85, 0.8, 0.3, 0.1)


def opposed(planted, qualities, seed=0):
    """The planted votes, of which each person turns round 1 - quality."""
    random = np.random.default_rng(seed)
    names = sorted(set(planted.reviewers), key=lambda name: int(name.split()[1]))
    quality_of = dict(zip(names, qualities, strict=True))
    turned = {"left": "right", "right": "left", "tie": "tie"}
    votes = [
        (left, right, outcome if random.random() < quality_of[name] else turned[outcome])
        for (left, right, outcome), name in zip(planted.comparisons, planted.reviewers, strict=True)
    ]
    return votes, quality_of


def test_it_recovers_planted_strengths_and_qualities():
    inside = 0
    for seed in range(5):
        planted = planted_votes(n_votes=2000, n_reviewers=8, seed=seed, reach=1.5)
        votes, quality_of = opposed(planted, QUALITIES, seed)
        crowd = crowd_bradley_terry(votes, planted.reviewers, planted.clips)
        plain = bradley_terry(votes, planted.reviewers, planted.clips)
        assert [person.rater for person in crowd.people][:2] == ["reviewer 7", "reviewer 6"]
        for person in crowd.people:
            assert person.value == pytest.approx(quality_of[person.rater], abs=0.17)
        inside += sum(crowd.low[m] < planted.true[m] < crowd.high[m] for m in planted.true)
        crowd_error, plain_error = (
            max(abs(ratings[model] - planted.true[model]) for model in planted.true)
            for ratings in (crowd.ratings, plain.ratings)
        )
        assert crowd_error < plain_error / 1.5
    assert inside >= 27  # of 30


def test_good_people_give_the_plain_ratings():
    planted = planted_votes(n_votes=6000, n_reviewers=10, seed=4)
    crowd = crowd_bradley_terry(planted.comparisons, planted.reviewers, imagined=(1e6, 1.0))
    plain = bradley_terry(planted.comparisons, planted.reviewers)
    # The imagined vote of each model is all that differs.
    assert crowd.ratings == pytest.approx(plain.ratings, abs=1)
    assert list(crowd.ratings) == list(plain.ratings)
    assert crowd.low == pytest.approx(plain.low, abs=3)
    assert crowd.tie == pytest.approx(plain.tie, abs=0.01)


def test_it_is_the_maximum_and_curvature_that_a_second_implementation_finds():
    planted = planted_votes(n_votes=150, n_models=3, n_reviewers=3, seed=5)
    votes, _ = opposed(planted, (0.95, 0.8, 0.3))
    crowd = crowd_bradley_terry(votes, planted.reviewers)
    models, people = sorted(crowd.ratings), [f"reviewer {number}" for number in range(3)]
    n = len(models)

    def chance(gap, tie):
        total = np.exp(gap / 2) + np.exp(-gap / 2) + tie
        return np.exp(gap / 2) / total, np.exp(-gap / 2) / total, tie / total

    def penalized(free):
        strengths, tie, log_odds = np.append(free[:n], 0), np.exp(free[n]), free[n + 1 :]
        quality = 1 / (1 + np.exp(-log_odds))
        total = (10 * np.log(quality) + np.log1p(-quality)).sum()
        for model in range(n):
            total += np.log(chance(strengths[model] - strengths[n], tie)).sum() / 3
        for (left, right, outcome), name in zip(votes, planted.reviewers, strict=True):
            won, lost, tied = chance(
                strengths[models.index(left)] - strengths[models.index(right)], tie
            )
            q = quality[people.index(name)]
            follows = {"left": (won, lost), "right": (lost, won), "tie": (tied, tied)}[outcome]
            total += np.log(q * follows[0] + (1 - q) * follows[1])
        return -total

    start = np.concatenate([np.zeros(n), [-1.0], np.full(len(people), 2.0)])
    optimum = minimize(penalized, start, method="BFGS", options={"gtol": 1e-5})
    strengths = optimum.x[:n] - optimum.x[:n].mean()
    rated = 1000 + 400 / np.log(10) * strengths
    assert [crowd.ratings[model] for model in models] == pytest.approx(rated, abs=0.05)
    assert crowd.tie == pytest.approx(np.exp(optimum.x[n]), rel=1e-3)
    by_person = {person.rater: person for person in crowd.people}
    quality = 1 / (1 + np.exp(-optimum.x[n + 1 :]))
    assert [by_person[name].value for name in people] == pytest.approx(quality, abs=1e-4)


def test_models_that_no_vote_connects_have_no_ranks():
    votes = [("a", "b", "left"), ("c", "d", "right")] * 10
    crowd = crowd_bradley_terry(votes, ["anna", "ben"] * 10)
    assert crowd.ranks is None
    assert "no ranks" in crowd.reason


def test_no_votes_give_no_ratings():
    crowd = crowd_bradley_terry([], [])
    assert (crowd.ratings, crowd.reason) == ({}, "There are no votes.")


# Alpha with weights.


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_equal_weights_give_alpha(level):
    random = np.random.default_rng(1)
    labels = [
        (person, unit, int(random.integers(0, 4)))
        for unit in range(30)
        for person in random.choice(list("abcd"), random.integers(1, 5), replace=False)
    ]
    weights = dict.fromkeys("abcd", 0.4)
    alpha = krippendorff_alpha(labels, level, scale=range(4), n_bootstrap=100)
    weighted = weighted_alpha(labels, weights, level, scale=range(4), n_bootstrap=100)
    assert (weighted.value, weighted.low, weighted.high) == pytest.approx(
        (alpha.value, alpha.low, alpha.high)
    )
    assert weighted.n_units == alpha.n_units
    without = [row for row in labels if row[0] != "b"]
    alone = krippendorff_alpha(without, level, scale=range(4), n_bootstrap=0)
    none = weighted_alpha(labels, {**weights, "b": 0.0}, level, scale=range(4))
    assert none.value == pytest.approx(alone.value)


def test_somebody_who_guesses_lowers_it_less_the_less_they_weigh():
    planted = planted_labels([one_coin_matrix(r) for r in (0.95, 0.9, 1 / 3)], per_unit=3)
    guesser = planted.labels[0][0]
    assert guesser in planted.matrices
    values = [
        weighted_alpha(
            planted.labels,
            {"person 0": 1.0, "person 1": 1.0, "person 2": weight},
            scale=SCALE,
        ).value
        for weight in (1.0, 0.5, 0.1, 0.0)
    ]
    assert values == sorted(values)


def test_the_order_of_people_changes_nothing():
    labels = planted_labels(n_units=20, per_unit=3).labels
    names = sorted({row[0] for row in labels})
    estimates = []
    for order in list(permutations(names[:3]))[:2]:
        first = [row for name in order for row in labels if row[0] == name]
        rest = [row for row in labels if row[0] not in order]
        people = by_rater(estimate_reliability([*first, *rest], SCALE))
        estimates.append([people[name].value for name in names])
    assert estimates[0] == pytest.approx(estimates[1], abs=1e-6)


def test_it_refuses_a_person_without_a_weight():
    with pytest.raises(ValueError, match="'ben' has no weight"):
        weighted_alpha([("ben", 1, "a")], {}, scale="ab")
    nobody = weighted_alpha([("ben", 1, "a"), ("eva", 1, "a")], {"ben": 0, "eva": 1}, scale="ab")
    assert (nobody.value, nobody.reason) == (
        None,
        "No two labels of one unit have a weight above 0.",
    )
