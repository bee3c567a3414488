"""The intervals of Bradley-Terry: against a slow independent sandwich, planted studies, and the
bootstrap."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize

from metrics.pairwise import bradley_terry, spread
from tests.metrics.planted_votes import planted_votes

POINTS = 400 / math.log(10)


def half_widths(result):
    return {model: result.high[model] - result.ratings[model] for model in sorted(result.ratings)}


def rate(planted, *, reviewers=True, clips=True, **options):
    return bradley_terry(
        planted.comparisons,
        planted.reviewers if reviewers else None,
        planted.clips if clips else None,
        **options,
    )


def log_likelihood(parameters, vote, models):
    """Of one vote, by Davidson's formula; the last model's strength is 0."""
    strengths = dict(zip(models, [*parameters[:-1], 0.0], strict=True))
    left, right, outcome = vote
    ours, theirs = math.exp(strengths[left]), math.exp(strengths[right])
    tie = math.exp(parameters[-1]) * math.sqrt(ours * theirs)
    return math.log({"left": ours, "right": theirs, "tie": tie}[outcome] / (ours + theirs + tie))


def slope(function, at, step=1e-4):
    """The gradient of a function at a point, by central differences."""
    sides = ((at + move, at - move) for move in np.eye(len(at)) * step)
    return np.array([(function(up) - function(down)) / (2 * step) for up, down in sides])


def slow_half_widths(planted):
    """The two-way clustered sandwich by numeric derivatives, vote by vote."""
    models = sorted(planted.true)
    votes = planted.comparisons

    def total(parameters):
        return sum(log_likelihood(parameters, vote, models) for vote in votes)

    best = minimize(lambda p: -total(p), np.zeros(len(models)), tol=1e-12).x
    scores = [slope(lambda p, vote=vote: log_likelihood(p, vote, models), best) for vote in votes]
    curvature = np.array(
        [(slope(total, best + m) - slope(total, best - m)) / 2e-3 for m in np.eye(len(best)) * 1e-3]
    )
    bread = np.linalg.inv(-curvature)
    meat = np.zeros_like(bread)
    crossing = list(zip(planted.reviewers, planted.clips, strict=True))
    for labels, sign in ((planted.reviewers, 1), (planted.clips, 1), (crossing, -1)):
        sums = defaultdict(lambda: np.zeros(len(best)))
        for label, score in zip(labels, scores, strict=True):
            sums[label] += score
        squares = sum(np.outer(row, row) for row in sums.values())
        meat += sign * squares * len(sums) / (len(sums) - 1)
    # From strengths against the last model to strengths against the mean.
    n = len(models)
    against_mean = (np.eye(n) - 1 / n)[:, : n - 1]
    clustered, independent = (
        np.diag(against_mean @ matrix[: n - 1, : n - 1] @ against_mean.T)
        for matrix in (bread @ meat @ bread, bread)
    )
    fewest = min(len(set(planted.reviewers)), len(set(planted.clips)))
    widths = stats.t.ppf(0.975, fewest - 1) * POINTS * np.sqrt(np.maximum(clustered, independent))
    return dict(zip(models, widths, strict=True))


@pytest.mark.parametrize("n_clips", [7, 400])
def test_it_is_the_two_way_sandwich(n_clips):
    planted = planted_votes(150, 4, n_reviewers=12, n_clips=n_clips, taste=0.5)
    assert half_widths(rate(planted)) == pytest.approx(slow_half_widths(planted), rel=1e-3)


def test_many_clusters_are_summed_in_blocks(monkeypatch):
    planted = planted_votes(500)
    at_once = rate(planted)
    monkeypatch.setattr(spread, "MAXIMUM", 100)
    assert half_widths(rate(planted)) == pytest.approx(half_widths(at_once))


def test_reviewers_of_one_mind_do_not_make_it_certain():
    # Both reviewers say 3 to 1, so their scores are 0 and the sandwich alone has no width.
    votes = [("a", "b", outcome) for outcome in ("left", "left", "left", "right")] * 2
    alone, of_two = bradley_terry(votes), bradley_terry(votes, [1] * 4 + [2] * 4)
    wider = stats.t.ppf(0.975, 1) / stats.norm.ppf(0.975)
    assert half_widths(of_two)["a"] == pytest.approx(half_widths(alone)["a"] * wider)


def test_a_reviewer_who_votes_ten_times_alike_counts_once():
    planted = planted_votes(200, 2)
    once = half_widths(rate(planted, reviewers=False, clips=False))
    repeated = [vote for vote in planted.comparisons for _ in range(10)]
    reviewers = [number for number in range(200) for _ in range(10)]
    tenfold = half_widths(bradley_terry(repeated, reviewers))
    wider = stats.t.ppf(0.975, 199) / stats.norm.ppf(0.975) * math.sqrt(200 / 199)
    assert tenfold == pytest.approx({model: width * wider for model, width in once.items()})


@pytest.mark.parametrize(
    ("options", "taste", "luck"),
    [
        ({"reviewers": False, "clips": False}, 0, 0),
        ({"clips": False}, 0.5, 0),
        ({"reviewers": False}, 0, 0.8),
        ({}, 0, 0),
        ({}, 0.5, 0.8),
    ],
)
def test_the_bootstrap_agrees_with_the_sandwich(options, taste, luck):
    planted = planted_votes(2000, n_reviewers=30, n_clips=60, taste=taste, luck=luck)
    by_sandwich = rate(planted, **options)
    by_bootstrap = rate(planted, **options, interval="bootstrap", n_bootstrap=200)
    assert by_sandwich.ratings == by_bootstrap.ratings
    ratios = np.array(list(half_widths(by_bootstrap).values())) / list(
        half_widths(by_sandwich).values()
    )
    assert np.abs(ratios - 1).max() < 0.2
    assert abs(ratios.mean() - 1) < 0.08


def test_the_bootstrap_survives_resamples_in_which_a_model_wins_every_vote():
    planted = planted_votes(25, 4, n_reviewers=4, n_clips=5)
    result = rate(planted, interval="bootstrap", n_bootstrap=50)
    assert all(0 < width < math.inf for width in half_widths(result).values())


def coverage(*, reviewers, clips, **planting):
    """How often the 95 % interval holds the planted rating."""
    held = []
    for seed in range(80):
        planted = planted_votes(1000, seed=seed, **planting)
        result = rate(planted, reviewers=reviewers, clips=clips)
        held += [result.low[m] <= planted.true[m] <= result.high[m] for m in planted.true]
    return np.mean(held)


def test_the_interval_holds_the_truth_in_95_of_100_studies():
    assert 0.92 < coverage(reviewers=False, clips=False) < 0.98
    assert 0.92 < coverage(reviewers=True, clips=True) < 0.99


def test_only_clustered_intervals_allow_for_tastes_and_clips():
    many = {"n_reviewers": 25, "n_clips": 40, "taste": 0.4, "luck": 0.4}
    assert coverage(reviewers=False, clips=False, **many) < 0.85
    assert 0.9 < coverage(reviewers=True, clips=True, **many) < 0.99


def test_it_says_what_it_allowed_for():
    planted = planted_votes(500)
    result = rate(planted)
    assert (result.clustered_by, result.n_clusters) == (
        ("reviewers", "clips"),
        (20, len(set(planted.clips))),
    )
    assert rate(planted, clips=False).clustered_by == ("reviewers",)
    alone = bradley_terry(planted.comparisons, ["Rita"] * 500, ["clip"] * 500)
    assert alone.clustered_by == ()
    assert alone.reason == (
        "All votes are one reviewer's, so the intervals don't say what others would prefer. "
        "All votes are on one clip, so the intervals don't say how other clips would come out."
    )
    assert half_widths(alone) == half_widths(bradley_terry(planted.comparisons))


def test_the_seed_repeats_the_bootstrap():
    planted = planted_votes(200)
    first, again, other = (
        rate(planted, interval="bootstrap", n_bootstrap=20, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.low != other.low
