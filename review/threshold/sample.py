"""Draw the captions of a threshold study. Pure; the same seed gives the same sample."""

from __future__ import annotations

import random
from collections.abc import Sequence

from metrics.threshold import MIN_CAPTIONS

# As many as the planned looks at a threshold, so that each look follows a whole wave.
MAX_WAVES = 5


def stratum_of(score: float, low: float, high: float, strata: int) -> int:
    """Return the stratum of a score, from 0: `low` to `high` has `strata` parts of equal width."""
    if high <= low:
        return 0
    return min(int((score - low) / (high - low) * strata), strata - 1)


def stratified(scores: Sequence[float], size: int, strata: int, seed: int) -> list[tuple[int, int]]:
    """Draw `size` scores, as evenly from the strata as possible; return (index, stratum) of each in
    a random order.

    `strata` parts of equal width divide the range of the scores. If a stratum is too small, the
    rest is drawn evenly from the others; a remainder comes from the largest. Raises ValueError if
    `size` exceeds the number of scores.
    """
    if size > len(scores):
        raise ValueError(f"{size} can't be drawn from {len(scores)}")
    chance = random.Random(seed)
    members = _members(scores, strata)
    for places in members:
        chance.shuffle(places)
    drawn = [
        (place, stratum)
        for stratum, share in enumerate(_shares([len(places) for places in members], size))
        for place in members[stratum][:share]
    ]
    chance.shuffle(drawn)
    return drawn


def even_chances(scores: Sequence[float], size: int, strata: int) -> list[tuple[int, float]]:
    """Return the stratum of each score and the probability with which `stratified` draws it."""
    if size > len(scores):
        raise ValueError(f"{size} can't be drawn from {len(scores)}")
    members = _members(scores, strata)
    chances = [(0, 0.0)] * len(scores)
    for stratum, share in enumerate(_shares([len(places) for places in members], size)):
        for place in members[stratum]:
            chances[place] = stratum, share / len(members[stratum])
    return chances


def wave_sizes(captions: int, strata: int) -> list[int]:
    """Return how many captions each wave of a study draws: parts as even as possible, none too
    small for an estimate or for its strata; [] if not even two such waves fit.
    """
    waves = min(MAX_WAVES, captions // max(MIN_CAPTIONS, strata))
    if waves < 2:
        return []
    sizes: list[int] = []
    for left in range(waves, 0, -1):
        sizes.append((captions - sum(sizes)) // left)
    return sizes


def _members(scores: Sequence[float], strata: int) -> list[list[int]]:
    """Return the places of the scores in each stratum."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    members: list[list[int]] = [[] for _ in range(strata)]
    for place, score in enumerate(scores):
        members[stratum_of(score, low, high, strata)].append(place)
    return members


def _shares(sizes: Sequence[int], total: int) -> list[int]:
    """Return how many each stratum contributes to `total`, as equal as their sizes allow."""
    shares = [0] * len(sizes)
    smallest_first = sorted(range(len(sizes)), key=sizes.__getitem__)
    for done, number in enumerate(smallest_first):
        shares[number] = min(sizes[number], total // (len(sizes) - done))
        total -= shares[number]
    return shares
