"""Elo and Bradley-Terry ratings of a round's models (CaReBench, appendix C, Tables 13 and 14).

In the result models are the keys of their entrants, as texts; in its sentences "entrant:12" stands
for one, so that a page can put the name there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any, TypedDict

from annotate.models import Project
from metrics.pairwise import bradley_terry, elo, elo_path, stops, votes_to_separate
from metrics.pairwise.strength import VERSION, BradleyTerry
from review.comparisons import queries
from review.comparisons.counting import CHANGED, WHY, Cast, cast_in
from review.comparisons.instructions import instructions_of_round
from review.comparisons.models import Comparison, ComparisonRound
from review.comparisons.queries import rounds_of, votes_to_count
from review.comparisons.rounds import TABLE_13
from review.reports.inputs import Inputs, marks_by_category
from review.reports.instructions import summary_for_signature

N_REPLAYS = 50
SEED = 0
ELO_STOPS, BRADLEY_TERRY_STOPS = 60, 12
# Counts the ways in which votes were chosen and put in order: another number, other numbers.
COUNTING = 2
METHOD = f"metrics.pairwise {VERSION}, counting {COUNTING}"
PREFIX = "entrant:"
Outcome = Comparison.Outcome


class Settings(TypedDict):
    """Of Table 13, what has an effect; its SD of 300 has none (docs/metrics.md)."""

    initial: float
    k: float
    base: float
    scale: float
    floor: float


def leaderboard_inputs(project: Project) -> Iterator[Inputs]:
    """For each round that has votes to count, all of these; the subject is the round's key."""
    votes = votes_to_count(project)
    for round in rounds_of(project).reverse():
        cast = cast_in(round, votes)
        if cast:
            yield _inputs(round, cast)


def elo_settings(round: ComparisonRound) -> Settings:
    """What the round says of Elo, and else what Table 13 says."""
    told = {**TABLE_13, **round.elo}
    return Settings(
        initial=told["initial"],
        k=told["k"],
        base=told["base"],
        scale=told["scale"],
        floor=told["floor"],
    )


def both_bad_of(round: ComparisonRound) -> str:
    return "tie" if round.both_bad_is_tie else "leave_out"


def _inputs(round: ComparisonRound, cast: list[Cast]) -> Inputs:
    counted = [vote for vote in cast if not vote.why]
    settings = elo_settings(round)
    return Inputs(
        subject=str(round.pk),
        method=METHOD,
        parameters={
            "round": round.number,
            "cast": len(cast),
            "models": len({model for vote in counted for model in (vote.left, vote.right)}),
            "reviewers": len({vote.rater for vote in counted}),
            "clips": len({vote.clip for vote in counted}),
            **settings,
            "both_bad": both_bad_of(round),
            "replays": N_REPLAYS,
            "interval": "sandwich",
            **summary_for_signature(list(instructions_of_round(round).values())),
        },
        labels=cast,
        count=len(counted),
        compute=lambda: _result(cast, counted, settings, both_bad_of(round)),
        seed=SEED,
    )


def _result(
    cast: Sequence[Cast], counted: Sequence[Cast], settings: Settings, both_bad: str
) -> dict[str, Any]:
    """`stored`: how many votes there were to count and the key of the newest, which tells what
    has come since. `category_marks`: `marks_by_category` of all these votes. `filtered`: the keys
    of those that don't count, in order, by why."""
    filtered: dict[str, list[int]] = {why: [] for why in WHY}
    for vote in cast:
        if vote.why:
            filtered[vote.why].append(vote.key)
    strengths = _strengths(counted)
    rated = elo(_rows(counted), **settings, n_replays=N_REPLAYS, seed=SEED)
    return {
        "stored": {"count": len(cast), "last": max(vote.key for vote in cast)},
        "category_marks": marks_by_category((vote.category, vote.key) for vote in cast),
        "filtered": filtered,
        "both_bad": both_bad,
        "elo": _keyed(asdict(rated)),
        "bradley_terry": _keyed(asdict(strengths)),
        "neighbours": _neighbours(strengths),
        "pairs": _pairs(counted),
        "categories": _categories(counted),
        "elo_path": _elo_path(counted, _ends_of_steps(cast, ELO_STOPS), settings),
        "bradley_terry_path": _bradley_terry_path(
            counted, _ends_of_steps(cast, BRADLEY_TERRY_STOPS)
        ),
    }


def _label(entrant: int) -> str:
    return f"{PREFIX}{entrant}"


def _rows(votes: Sequence[Cast]) -> list[tuple[str, str, str]]:
    """Without "both bad" where that is left out, since no such vote is counted."""
    return [(_label(vote.left), _label(vote.right), vote.outcome) for vote in votes]


def _strengths(votes: Sequence[Cast]) -> BradleyTerry:
    raters, clips = [vote.rater for vote in votes], [vote.clip for vote in votes]
    return bradley_terry(_rows(votes), raters, clips)


def _keyed(found: dict[str, Any]) -> dict[str, Any]:
    """With the keys of entrants in the place of labels, but for the sentences."""
    return {
        name: {key.removeprefix(PREFIX): number for key, number in value.items()}
        if isinstance(value, dict)
        else value
        for name, value in found.items()
    }


def _neighbours(strengths: BradleyTerry) -> list[dict[str, Any]]:
    """Every two models next to each other in the ranking, and how many further votes would
    separate them: 0 where they are, None where nothing can be said."""
    ranking = list(strengths.ratings)
    return [
        {
            "above": above.removeprefix(PREFIX),
            "below": below.removeprefix(PREFIX),
            "votes": votes_to_separate(strengths, above, below),
        }
        for above, below in pairwise(ranking)
    ]


def _pairs(votes: Sequence[Cast]) -> list[dict[str, Any]]:
    """Of every two models with votes: how often either won, the ties, those among them where both
    were bad, and how often the first stood at the left."""
    pairs: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    for vote in votes:
        first, second = sorted((vote.left, vote.right))
        told = pairs[first, second]
        told["votes"] += 1
        told["first_left"] += vote.left == first
        if vote.outcome in (Outcome.LEFT, Outcome.RIGHT):
            won = vote.left if vote.outcome == Outcome.LEFT else vote.right
            told["first_won" if won == first else "second_won"] += 1
        else:
            told["ties"] += 1
            told["both_bad"] += vote.outcome == Outcome.BOTH_BAD
    names = ("votes", "first_won", "second_won", "ties", "both_bad", "first_left")
    return [
        {"first": str(first), "second": str(second), **{name: told[name] for name in names}}
        for (first, second), told in sorted(pairs.items())
    ]


def _categories(votes: Sequence[Cast]) -> list[dict[str, Any]]:
    """Bradley-Terry among the votes on the clips of each category, the most votes first."""
    by_category: defaultdict[str, list[Cast]] = defaultdict(list)
    for vote in votes:
        by_category[vote.category].append(vote)
    ordered = sorted(by_category.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    names = ("ratings", "low", "high", "ranks", "reason", "assumed")
    parts = []
    for category, own in ordered:
        found = _keyed(asdict(_strengths(own)))
        counts = {"votes": len(own), "clips": len({vote.clip for vote in own})}
        parts.append({"category": category, **counts, **{name: found[name] for name in names}})
    return parts


def _ends_of_steps(cast: Sequence[Cast], most: int) -> list[int]:
    """How many votes were counted at the ends of at most so many steps, evenly apart, and at last.
    What lies between would tell whose caption is whose, as a look in the middle of a step would."""
    pairs = counted = 0
    ends = {0}
    for vote in cast:
        counted += not vote.why
        pairs += vote.why != CHANGED
        if pairs % queries.VOTES_AT_ONCE == 0:
            ends.add(counted)
    after = sorted({*ends, counted} - {0})
    return [after[number - 1] for number in stops(len(after), most)]


def _elo_path(
    votes: Sequence[Cast], after: Sequence[int], settings: Settings
) -> list[dict[str, Any]]:
    found = elo_path(_rows(votes), after, **settings)
    return [
        {"votes": number, "ratings": _keyed({"ratings": ratings})["ratings"]}
        for number, ratings in zip(after, found, strict=True)
    ]


def _bradley_terry_path(votes: Sequence[Cast], after: Sequence[int]) -> list[dict[str, Any]]:
    names = ("ratings", "low", "high", "assumed")
    path = []
    for number in after:
        found = _keyed(asdict(_strengths(votes[:number])))
        path.append({"votes": number, **{name: found[name] for name in names}})
    return path
