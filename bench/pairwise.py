"""Ratings from pairwise votes: ours beside evalica's, on the same votes in one run.

    python -m bench.pairwise [--votes 100000] [--models 20] [--rounds 3] [--resamples 100]

Elo          in the given order and 50 shuffled ones; evalica's is called once an order
independent  Bradley-Terry with ties, 95 % intervals for independent votes; evalica has Newman's
             algorithm for the same model and, for intervals, its bootstrap
clustered    the same with votes of one of 50 reviewers and on one of 1,000 clips alike

The ways take turns. Shown is the highest model's rating on the Elo scale, with its interval.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from functools import partial

import evalica
import numpy as np

from bench.timing import machine, take_turns
from metrics.pairwise import BradleyTerry, Elo, bradley_terry, elo
from tests.metrics.planted_votes import planted_votes

REPLAYS = 50
Answer = tuple[float, float | None, float | None]


def evalica_elo(lefts: list[str], rights: list[str], winners: list[evalica.Winner]) -> Answer:
    random = np.random.default_rng(0)
    ratings = []
    for _ in range(REPLAYS):
        order = random.permutation(len(lefts)).tolist()
        shuffled = evalica.elo(
            [lefts[place] for place in order],
            [rights[place] for place in order],
            [winners[place] for place in order],
            k=32,
        )
        ratings.append(shuffled.scores)
    in_order = evalica.elo(lefts, rights, winners, k=32).scores
    return float(in_order.max()), None, None


def evalica_newman(lefts: list[str], rights: list[str], winners: list[evalica.Winner]) -> Answer:
    logs = np.log10(evalica.newman(lefts, rights, winners).scores)
    return float(1000 + 400 * (logs.max() - logs.mean())), None, None


def evalica_bootstrap(
    resamples: int, lefts: list[str], rights: list[str], winners: list[evalica.Winner]
) -> Answer:
    result = evalica.bootstrap(
        evalica.newman,  # type: ignore[arg-type]  # its protocol has another order
        lefts,
        rights,
        winners,
        tie_weight=1.0,
        n_resamples=resamples,
        bootstrap_method="percentile",
        random_state=0,
    )
    logs = result.distribution.apply(np.log10)
    ratings = 1000 + 400 * logs.sub(logs.mean(axis=1), axis=0)
    best = ratings.mean().idxmax()
    low, high = np.percentile(ratings[best], [2.5, 97.5])
    return float(ratings[best].mean()), float(low), float(high)


def highest(result: BradleyTerry | Elo) -> Answer:
    model, rating = next(iter(result.ratings.items()))
    if isinstance(result, Elo):
        return rating, None, None
    return rating, result.low[model], result.high[model]


def print_rows(work: str, ways: dict[str, Callable[[], Answer]], rounds: int) -> None:
    for name, (seconds, busy, answer) in take_turns(ways, rounds).items():
        values = ", ".join(f"{value:.1f}" for value in answer if value is not None)
        print(
            f"| {work} | {name} | {1000 * seconds:.0f} | {1000 * busy:.0f} | {values} |", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--votes", type=int, default=100_000)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--resamples", type=int, default=100)
    options = parser.parse_args()
    planted = planted_votes(options.votes, options.models, n_reviewers=50, n_clips=1000)
    cast, resamples = planted.comparisons, options.resamples
    winners = {"left": evalica.Winner.X, "right": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    votes = (
        [left for left, _, _ in cast],
        [right for _, right, _ in cast],
        [winners[outcome] for _, _, outcome in cast],
    )
    clustered = partial(bradley_terry, cast, reviewers=planted.reviewers, clips=planted.clips)
    print(f"{len(cast):,} votes among {options.models} models; evalica {evalica.__version__}")
    print(machine())
    print(f"The highest model was planted at {max(planted.true.values()):.1f}")
    print("\n| work | way | ms | CPU ms | highest model |\n|---|---|---|---|---|")
    print_rows(
        "Elo",
        {
            f"ours, {REPLAYS} replays": lambda: highest(elo(cast, floor=-math.inf)),
            f"evalica, {REPLAYS} replays": lambda: evalica_elo(*votes),
        },
        options.rounds,
    )
    print_rows(
        "independent",
        {
            "ours, sandwich": lambda: highest(bradley_terry(cast)),
            f"ours, {resamples} resamples": lambda: highest(
                bradley_terry(cast, interval="bootstrap", n_bootstrap=resamples)
            ),
            "evalica, no interval": lambda: evalica_newman(*votes),
            f"evalica, {resamples} resamples": lambda: evalica_bootstrap(resamples, *votes),
        },
        options.rounds,
    )
    print_rows(
        "clustered",
        {
            "ours, sandwich": lambda: highest(clustered()),
            f"ours, {resamples} resamples": lambda: highest(
                clustered(interval="bootstrap", n_bootstrap=resamples)
            ),
        },
        options.rounds,
    )


if __name__ == "__main__":
    main()
