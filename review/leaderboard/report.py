"""Elo and Bradley-Terry ratings of a round's models (CaReBench, appendix C, Tables 13 and 14)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any, TypedDict, TypeVar

from annotate.models import Project
from metrics.pairwise import bradley_terry, elo, elo_path, stops, votes_to_separate
from metrics.pairwise.replay import Elo
from metrics.pairwise.strength import VERSION, BradleyTerry
from review.comparisons import queries
from review.comparisons.counting import CHANGED, WHY, Cast, cast_in
from review.comparisons.instructions import instructions_of_round
from review.comparisons.models import Comparison, ComparisonRound
from review.comparisons.queries import rounds_of, votes_to_count
from review.comparisons.rounds import TABLE_13
from review.leaderboard.results import (
    CategoryRatings,
    EloPoint,
    LeaderboardResult,
    Neighbors,
    Pair,
    StrengthPoint,
    VotesToCount,
)
from review.reports.inputs import Inputs, marks_by_category
from review.reports.instructions import summary_for_signature

N_REPLAYS = 50
SEED = 0
ELO_STOPS, BRADLEY_TERRY_STOPS = 60, 12
# The version of the choice and order of votes; a new version gives new results.
COUNTING = 2
METHOD = f"metrics.pairwise {VERSION}, counting {COUNTING}"
PREFIX = "entrant:"
Outcome = Comparison.Outcome
AnyRated = TypeVar("AnyRated", Elo, BradleyTerry)
AnyNumber = TypeVar("AnyNumber")


class Settings(TypedDict):
    """The parameters of Table 13 that have an effect; its SD of 300 has none (docs/metrics.md)."""

    initial: float
    k: float
    base: float
    scale: float
    floor: float


def leaderboard_inputs(project: Project) -> Iterator[Inputs]:
    """Return all countable votes of each round that has any; the subject is the round's key."""
    votes = votes_to_count(project)
    for round in rounds_of(project).reverse():
        cast = cast_in(round, votes)
        if cast:
            yield _inputs(round, cast)


def elo_settings(round: ComparisonRound) -> Settings:
    """Return the round's Elo parameters, with the defaults of Table 13."""
    settings = {**TABLE_13, **round.elo}
    return Settings(
        initial=settings["initial"],
        k=settings["k"],
        base=settings["base"],
        scale=settings["scale"],
        floor=settings["floor"],
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
) -> LeaderboardResult:
    filtered: dict[str, list[int]] = {why: [] for why in WHY}
    for vote in cast:
        if vote.why:
            filtered[vote.why].append(vote.key)
    strengths = _strengths(counted)
    rated = elo(_rows(counted), **settings, n_replays=N_REPLAYS, seed=SEED)
    return LeaderboardResult(
        stored=VotesToCount(len(cast), max(vote.key for vote in cast)),
        category_marks=marks_by_category((vote.category, vote.key) for vote in cast),
        filtered=filtered,
        both_bad=both_bad,
        elo=_keyed(rated),
        bradley_terry=_keyed(strengths),
        neighbours=_neighbors(strengths),
        pairs=_pairs(counted),
        categories=_categories(counted),
        elo_path=_elo_path(counted, _ends_of_steps(cast, ELO_STOPS), settings),
        bradley_terry_path=_bradley_terry_path(counted, _ends_of_steps(cast, BRADLEY_TERRY_STOPS)),
    )


def _label(entrant: int) -> str:
    return f"{PREFIX}{entrant}"


def _rows(votes: Sequence[Cast]) -> list[tuple[str, str, str]]:
    """Return the rows, without "both bad" if the round excludes such votes."""
    return [(_label(vote.left), _label(vote.right), vote.outcome) for vote in votes]


def _strengths(votes: Sequence[Cast]) -> BradleyTerry:
    raters, clips = [vote.rater for vote in votes], [vote.clip for vote in votes]
    return bradley_terry(_rows(votes), raters, clips)


def _keyed(rated: AnyRated) -> AnyRated:
    """Replace labels by systems' keys, except in sentences."""
    changes: dict[str, Any] = {
        field.name: _by_key(value)
        for field in fields(rated)
        if isinstance(value := getattr(rated, field.name), dict)
    }
    return replace(rated, **changes)


def _by_key(ratings: Mapping[str, AnyNumber]) -> dict[str, AnyNumber]:
    return {key.removeprefix(PREFIX): number for key, number in ratings.items()}


def _neighbors(strengths: BradleyTerry) -> list[Neighbors]:
    return [
        Neighbors(
            above.removeprefix(PREFIX),
            below.removeprefix(PREFIX),
            votes_to_separate(strengths, above, below),
        )
        for above, below in pairwise(strengths.ratings)
    ]


def _pairs(votes: Sequence[Cast]) -> list[Pair]:
    """Return every pair of models with votes."""
    pairs: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    for vote in votes:
        first, second = sorted((vote.left, vote.right))
        counts = pairs[first, second]
        counts["votes"] += 1
        counts["first_left"] += vote.left == first
        if vote.outcome in (Outcome.LEFT, Outcome.RIGHT):
            won = vote.left if vote.outcome == Outcome.LEFT else vote.right
            counts["first_won" if won == first else "second_won"] += 1
        else:
            counts["ties"] += 1
            counts["both_bad"] += vote.outcome == Outcome.BOTH_BAD
    names = ("votes", "first_won", "second_won", "ties", "both_bad", "first_left")
    return [
        Pair(str(first), str(second), **{name: counts[name] for name in names})
        for (first, second), counts in sorted(pairs.items())
    ]


def _categories(votes: Sequence[Cast]) -> list[CategoryRatings]:
    """Return the categories, most votes first."""
    by_category: defaultdict[str, list[Cast]] = defaultdict(list)
    for vote in votes:
        by_category[vote.category].append(vote)
    parts = []
    for category, own in sorted(by_category.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        rated = _keyed(_strengths(own))
        parts.append(
            CategoryRatings(
                category=category,
                votes=len(own),
                clips=len({vote.clip for vote in own}),
                ratings=rated.ratings,
                low=rated.low,
                high=rated.high,
                ranks=rated.ranks,
                reason=rated.reason,
                assumed=rated.assumed,
            )
        )
    return parts


def _ends_of_steps(cast: Sequence[Cast], most: int) -> list[int]:
    """Return the numbers of votes at the ends of evenly spaced steps, at most so many, and at the
    end. Ratings inside a step could reveal whose caption is whose.
    """
    pairs = counted = 0
    ends = {0}
    for vote in cast:
        counted += not vote.why
        pairs += vote.why != CHANGED
        if pairs % queries.VOTES_AT_ONCE == 0:
            ends.add(counted)
    after = sorted({*ends, counted} - {0})
    return [after[number - 1] for number in stops(len(after), most)]


def _elo_path(votes: Sequence[Cast], after: Sequence[int], settings: Settings) -> list[EloPoint]:
    path = elo_path(_rows(votes), after, **settings)
    return [EloPoint(number, _by_key(ratings)) for number, ratings in zip(after, path, strict=True)]


def _bradley_terry_path(votes: Sequence[Cast], after: Sequence[int]) -> list[StrengthPoint]:
    path = []
    for number in after:
        rated = _keyed(_strengths(votes[:number]))
        path.append(StrengthPoint(number, rated.ratings, rated.low, rated.high, rated.assumed))
    return path
