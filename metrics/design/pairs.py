"""Which pair of models to compare next, so that their order becomes certain soonest.

The order of models i and j with the estimated difference d and standard error s is wrong with the
probability p = Phi(-|d| / s). One more vote on a pair with contrast c (1 and -1 at its models) and
information w adds w c c' to the Fisher information, so the variance of another pair's difference,
with contrast e, falls from s^2 by w (e' V c)^2 / (1 + w c' V c), where V is the covariance (Sherman
and Morrison). The score of a pair is the sum of these relative falls over all pairs, each weighted
by how uncertain its order is, 4 p (1 - p). It is an L-optimal design (Chaloner and Verdinelli,
"Bayesian experimental design", Statistical Science 10, 1995) for what a ranking needs; Glickman and
Jensen, "Adaptive paired comparison design", Journal of Statistical Planning and Inference 127
(2005), choose pairs by expected information in the same model.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from metrics.design.drawing import UNIFORM, draw_probabilities
from metrics.intervals import Array
from metrics.pairwise.fit import expected, fit, inverse
from metrics.pairwise.votes import Indices

# Imagined votes on each pair, half won by each side, so that a pair without votes is uncertain but
# not infinitely so.
IMAGINED = 0.5


def pair_probabilities(wins: Array, ties: Array, uniform: float = UNIFORM) -> Array:
    """Return the probability with which each pair is compared next, in the order of
    `np.triu_indices(m, 1)`.

    `wins`, `ties`: (m, m) counts as from `metrics.pairwise.votes.tally`, at least two models.
    """
    return draw_probabilities(_scores(wins, ties), uniform)


def uncertain_orders(wins: Array, ties: Array) -> float:
    """Return how many pairs of models are expected to be in the wrong order, from 0 to half their
    number.
    """
    strengths, covariance = _fitted(wins, ties)
    contrasts = _contrasts(len(wins))
    return float(_wrong(strengths, covariance, contrasts).sum())


def _scores(wins: Array, ties: Array) -> Array:
    strengths, covariance = _fitted(wins, ties)
    contrasts = _contrasts(len(wins))
    spread = contrasts @ covariance @ contrasts.T
    variance = np.diag(spread)
    information = _information(wins, ties, strengths)
    fall = spread**2 * information / (1 + information * variance)
    wrong = _wrong(strengths, covariance, contrasts)
    weights = 4 * wrong * (1 - wrong) / variance
    scores: Array = weights @ fall
    return scores


def _wrong(strengths: Array, covariance: Array, contrasts: Array) -> Array:
    deviation = np.sqrt(np.einsum("ij,jk,ik->i", contrasts, covariance, contrasts))
    below = NormalDist().cdf
    return np.array([below(-z) for z in abs(contrasts @ strengths) / deviation])


def _fitted(wins: Array, ties: Array) -> tuple[Array, Array]:
    """Return (m,) strengths and their (m, m) covariance, with the imagined votes added."""
    m = len(wins)
    imagined = IMAGINED / 2 * (1 - np.eye(m))
    fitted = fit(wins + imagined, ties)
    return fitted.strengths[:m], inverse(fitted.information)[:m, :m]


def _information(wins: Array, ties: Array, strengths: Array) -> Array:
    """Return (pairs,): the information of one vote about the difference of the pair's strengths."""
    share = float(ties.sum() / 2 / (wins.sum() + ties.sum() / 2)) if wins.any() or ties.any() else 0
    tie = 2 * share / (1 - share) if share < 1 else 2.0
    win_share, tie_share = expected(strengths, tie)
    points = win_share + tie_share / 2
    information = win_share + tie_share / 4 - points**2
    return np.asarray(information[np.triu_indices(len(strengths), 1)])


def _contrasts(m: int) -> Array:
    firsts, seconds = np.triu_indices(m, 1)
    contrasts = np.zeros((len(firsts), m))
    rows: Indices = np.arange(len(firsts))
    contrasts[rows, firsts], contrasts[rows, seconds] = 1, -1
    return contrasts
