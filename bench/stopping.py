"""What it costs to stop as soon as an interval is narrow enough, and how often it then holds.

    python -m bench.stopping [--repeats 200] [--only round] [--always 2000]

One watches an interval over planted answers and stops once it is narrow enough. "peeking" watches
the usual 95 % interval, which is made for a number of labels set in advance; "sequential" an
interval that holds at all times, or at all planned looks (`metrics.sequential`). A stop that isn't
reached counts with all labels there are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import takewhile
from statistics import fmean
from time import process_time

import numpy as np

from bench.label_savings import SEED, Random
from bench.timing import machine
from metrics.intervals import wilson_interval
from metrics.pairwise import bradley_terry
from metrics.pairwise.votes import read_votes
from metrics.sequential import mean_sequence, widening
from metrics.student_t import Z_95
from metrics.threshold import estimate_threshold

Interval = tuple[float, float]
# (labels, low, high) after more and more labels, the truth, and the width at which to stop.
Watch = tuple[Iterator[tuple[int, float, float]], float, float]
POINTS = 400 / np.log(10)
TIE = 0.3
CLOSE = np.array([1.0, 0.9, 0.8, 0, -0.6, -1.2, -1.8, -2.4])
NEAR = np.array([0.5, 0.2, -0.1, -0.6])
FAR = np.linspace(1.5, -1.5, 6)
LEVELS = np.array([0.02, 0.03, 0.05, 0.15, 0.4, 0.35])


def watch_ratings(random: Random, is_sequential: bool) -> Watch:
    values = random.choice(6, 1200, p=LEVELS).astype(float)
    truth = float(LEVELS @ np.arange(6))
    if is_sequential:
        return _sequence(values, (0, 5)), truth, 0.4
    usual = (
        (n, values[:n].mean() - half, values[:n].mean() + half)
        for n in range(10, len(values) + 1)
        for half in [Z_95 * values[:n].std(ddof=1) / n**0.5]
    )
    return usual, truth, 0.4


def watch_share(share: float, width: float) -> Callable[[Random, bool], Watch]:
    def watch(random: Random, is_sequential: bool) -> Watch:
        values = (random.random(800) < share).astype(float)
        if is_sequential:
            return _sequence(values, (0, 1)), share, width
        right = np.cumsum(values).astype(int)
        usual = (
            (n, *interval)
            for n in range(10, len(values) + 1)
            if (interval := wilson_interval(int(right[n - 1]), n))
        )
        return usual, share, width

    return watch


def votes_between(
    random: Random, strengths: np.ndarray, pairs: np.ndarray
) -> list[tuple[str, str, str]]:
    """Draw votes by Davidson's model on pairs in the order of `np.triu_indices`."""
    firsts, seconds = np.triu_indices(len(strengths), 1)
    first, second = firsts[pairs], seconds[pairs]
    odds = np.exp((strengths[first] - strengths[second]) / 2)
    drawn = random.random(len(pairs)) * (odds + 1 / odds + TIE)
    outcomes = np.select([drawn < odds, drawn < odds + TIE], ["left", "tie"], "right")
    return [
        (str(i), str(j), str(outcome))
        for i, j, outcome in zip(first, second, outcomes, strict=True)
    ]


def watch_round(random: Random, is_sequential: bool) -> Watch:
    """Watch the interval of the first of four models, in steps of 40 votes."""

    def intervals() -> Iterator[tuple[int, float, float]]:
        rows: list[tuple[str, str, str]] = []
        for n in range(40, 4001, 40):
            rows += votes_between(random, NEAR, random.choice(6, 40))
            rated = bradley_terry(rows)
            half = rated.high["0"] - rated.ratings["0"]
            half *= widening(n, 1000) if is_sequential else 1
            yield n, rated.ratings["0"] - half, rated.ratings["0"] + half

    return intervals(), float(1000 + POINTS * NEAR[0]), 150


def watch_widest(strengths: np.ndarray, width: float) -> Callable[[Random, bool], Watch]:
    """Watch the widest interval of any model, in steps of 40 votes, as its distance from the
    planted rating."""
    truth = 1000 + POINTS * (strengths - strengths.mean())
    n_models = len(strengths)
    n_pairs = n_models * (n_models - 1) // 2

    def intervals(random: Random, is_sequential: bool) -> Iterator[tuple[int, float, float]]:
        rows: list[tuple[str, str, str]] = []
        for n in range(40, 8001, 40):
            rows += votes_between(random, strengths, random.choice(n_pairs, 40))
            if len(read_votes(rows, "tie").models) < n_models:
                continue
            rated = bradley_terry(rows)
            half, model = max(
                (high - rated.ratings[model], model)
                for model, high in rated.high.items()
                if high is not None
            )
            half *= widening(n, 1000) if is_sequential else 1
            away = rated.ratings[model] - truth[int(model)]
            yield n, away - half, away + half

    return lambda random, is_sequential: (intervals(random, is_sequential), 0.0, width)


def watch_threshold(random: Random, is_sequential: bool) -> Watch:
    """Look after 100, 200, 300, 400 and 500 captions."""
    scores = random.uniform(0, 0.5, 500)
    errors = random.poisson(np.where(scores < 0.2, 2, 0.5))

    def intervals() -> Iterator[tuple[int, float, float]]:
        for n in range(100, 501, 100):
            made = estimate_threshold(
                scores[:n], errors[:n], n_bootstrap=300, looks=5 if is_sequential else 1
            )
            if made.low is not None and made.high is not None:
                yield n, made.low, made.high

    return intervals(), 0.2, 0.04


def _sequence(values: np.ndarray, scale: Interval) -> Iterator[tuple[int, float, float]]:
    made = mean_sequence(values, scale)
    return zip(made.after, made.low, made.high, strict=True)


WORLDS: dict[str, Callable[[Random, bool], Watch]] = {
    "mean of ratings from 0 to 5": watch_ratings,
    "share of 0.9": watch_share(0.9, 0.15),
    "share of 0.98": watch_share(0.98, 0.1),
    "rating of one of 4 models": watch_round,
    "change point of errors": watch_threshold,
    **{
        f"least certain of {what}": watch_widest(strengths, width)
        for what, strengths, width in (
            ("4 models", NEAR, 150),
            ("6 models far apart", FAR, 250),
            ("8 models, three close", CLOSE, 250),
        )
    },
}


def stop(watch: Watch) -> tuple[int, bool]:
    """Return the number of labels at the stop, and whether the interval contains the truth."""
    intervals, truth, width = watch
    seen: tuple[int, float, float] | None = None
    for seen in intervals:
        if seen[2] - seen[1] <= width:
            break
    return (seen[0], seen[1] <= truth <= seen[2]) if seen else (0, False)


def holds_always(watch: Watch, most: int) -> bool:
    """Return whether the interval contains the truth at every look until there are `most`
    labels.
    """
    intervals, truth, _ = watch
    return all(
        low <= truth <= high for _, low, high in takewhile(lambda seen: seen[0] <= most, intervals)
    )


def print_always(arguments: argparse.Namespace) -> None:
    print(f"| what | sequential holds at every look up to {arguments.always} |\n|---|---|")
    for what, world in WORLDS.items():
        if arguments.only in what:
            watches = (
                world(np.random.default_rng([SEED, number]), True)
                for number in range(arguments.repeats)
            )
            share = fmean(holds_always(watch, arguments.always) for watch in watches)
            print(f"| {what} | {share:.1%} |".replace("%", " %"), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument(
        "--always", type=int, default=0, help="look on until so many labels, whatever the width"
    )
    arguments = parser.parse_args()
    repeats = arguments.repeats
    print(f"{machine()}\n{repeats} planted worlds a row, seed {SEED}\n")
    if arguments.always:
        print_always(arguments)
        return
    print("| what | width | peeking holds | labels | sequential holds | labels |")
    print("|---|---|---|---|---|---|")
    started = process_time()
    for what, world in WORLDS.items():
        if arguments.only not in what:
            continue
        cells = []
        for is_sequential in (False, True):
            results = [
                stop(world(np.random.default_rng([SEED, number]), is_sequential))
                for number in range(repeats)
            ]
            cells.append(f"{fmean(held for _, held in results):.1%}")
            cells.append(f"{fmean(n for n, _ in results):.0f}")
        width = world(np.random.default_rng(0), False)[2]
        print(f"| {what} | {width:g} | {' | '.join(cells)} |".replace("%", " %"), flush=True)
    print(f"\n{process_time() - started:.0f} s of processor time")


if __name__ == "__main__":
    main()
