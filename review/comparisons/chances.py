"""Rounds that ask where the ranking is least certain: the chance of each pair, and drawing one.

The chances come from the votes on the leaderboard and are updated with it; half of the probability
is spread evenly (`metrics.design.pairs`). Not every pair is possible for a person, so a pair is
drawn among the possible ones. Nothing here is shown while the round runs: the chances would tell a
reviewer which models are close.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import SystemRandom
from typing import NamedTuple, Protocol

import numpy as np
from django.db.models import QuerySet

from metrics.design import pair_probabilities
from review.comparisons.models import Round, System, SystemPair, Vote

# A known seed, such as the default, would reveal the next pair.
_RANDOM = SystemRandom()


class DrawnPair(NamedTuple):
    """`probability`: None where pairs aren't drawn."""

    pair: SystemPair
    probability: float | None


class CountedPair(Protocol):
    """The counted votes on two models, by their keys in reports."""

    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...
    @property
    def first_won(self) -> int: ...
    @property
    def second_won(self) -> int: ...
    @property
    def ties(self) -> int: ...


def most_votes(round: Round, n_pairs: int) -> int:
    """Return how many votes a round asks for in which pairs are drawn."""
    return round.votes_per_pair * n_pairs


def draw_pairs(round: Round, clips_left: Mapping[int, int]) -> Iterator[DrawnPair]:
    """Yield pairs, each drawn among the others for which clips are left. `clips_left`: by the key
    of every pair of the round. The first is usually taken; the next are for pairs whose captions
    are the same on all clips. Yields nothing once the round has its votes.
    """
    pairs = list(SystemPair.objects.filter(round=round).order_by("pk"))
    if sum(pair.given for pair in pairs) >= most_votes(round, len(pairs)):
        return
    chance = {pair.pk: round.chances.get(str(pair.pk), 1 / len(pairs)) for pair in pairs}
    pairs = [pair for pair in pairs if clips_left[pair.pk]]
    while pairs:
        chances = [chance[pair.pk] for pair in pairs]
        [place] = _RANDOM.choices(range(len(pairs)), chances)
        # Divided by itself, the chance of the last remaining pair is exactly 1.
        yield DrawnPair(pairs.pop(place), chances[place] / sum(chances))


def votes_to_give(round: Round, clips_left: Mapping[int, int]) -> int:
    """Return how many more pairs a round in which they are drawn could give a person."""
    given = SystemPair.objects.filter(round=round).values_list("given", flat=True)
    open_votes = most_votes(round, len(given)) - sum(given)
    return max(0, min(open_votes, sum(clips_left.values())))


def probabilities_of(round: Round, votes: QuerySet[Vote]) -> dict[int, float]:
    """Return by key the probability of the pair of each of the round's `votes`, oldest first.
    Repeats have none.
    """
    own = votes.filter(caption_pair__round=round).order_by("pk").values_list("pk", "probability")
    return {key: probability for key, probability in own if probability is not None}


def update_chances(round: Round, counted: Sequence[CountedPair]) -> None:
    """Set the chance of each pair from all counted votes of the round."""
    systems = System.objects.filter(round=round).order_by("pk").values_list("pk", flat=True)
    place = {str(system): number for number, system in enumerate(systems)}
    wins, ties = np.zeros((2, len(place), len(place)))
    for votes in counted:
        first, second = place[votes.first], place[votes.second]
        wins[first, second], wins[second, first] = votes.first_won, votes.second_won
        ties[first, second] = ties[second, first] = votes.ties
    probabilities = pair_probabilities(wins, ties)
    keys = {
        (place[str(first)], place[str(second)]): key
        for key, first, second in SystemPair.objects.filter(round=round).values_list(
            "pk", "first", "second"
        )
    }
    in_order = zip(*np.triu_indices(len(place), 1), strict=True)
    chances = {
        str(keys[int(first), int(second)]): float(probability)
        for (first, second), probability in zip(in_order, probabilities, strict=True)
    }
    Round.objects.filter(pk=round.pk).update(chances=chances)
