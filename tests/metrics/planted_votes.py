"""Votes from planted strengths, for the tests of the ratings and for the benchmark."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Planted:
    """`true`: the ratings behind the votes, with mean 1000."""

    comparisons: list[tuple[str, str, str]]
    reviewers: list[str]
    clips: list[str]
    true: dict[str, float]


def planted_votes(
    n_votes=2000,
    n_models=6,
    n_reviewers=20,
    n_clips=100,
    tie=0.4,
    taste=0.0,
    luck=0.0,
    seed=0,
    reach=0.6,
) -> Planted:
    """Votes by Davidson's model, from strengths of `-reach` to `reach` in log-odds. `taste` and
    `luck`: SD, in log-odds, of what a reviewer likes about a model beyond its strength, and of how
    well a model does on a clip."""
    random = np.random.default_rng(seed)
    strengths = np.linspace(-reach, reach, n_models)
    left = random.integers(0, n_models, n_votes)
    right = (left + random.integers(1, n_models, n_votes)) % n_models
    reviewer, clip = (random.integers(0, n, n_votes) for n in (n_reviewers, n_clips))
    tastes = random.normal(0, taste, (n_reviewers, n_models))
    lucks = random.normal(0, luck, (n_clips, n_models))

    def liked(model):
        return strengths[model] + tastes[reviewer, model] + lucks[clip, model]

    odds = np.exp((liked(left) - liked(right)) / 2)
    drawn = random.random(n_votes) * (odds + 1 / odds + tie)
    outcomes = np.select([drawn < odds, drawn < odds + tie], ["left", "tie"], "right").tolist()
    names = [f"model {place:02}" for place in range(n_models)]
    ratings = 1000 + 400 * strengths / np.log(10)
    return Planted(
        [(names[i], names[j], o) for i, j, o in zip(left, right, outcomes, strict=True)],
        [f"reviewer {number}" for number in reviewer],
        [f"clip {number}" for number in clip],
        dict(zip(names, ratings.tolist(), strict=True)),
    )
