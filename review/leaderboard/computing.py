"""Elo and Bradley-Terry ratings of a round's models, from its votes alone (CaReBench, appendix C,
Tables 13 and 14).

Models are their systems' keys as texts; sentences have "system:12", which a page replaces by the
name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from typing import Any, TypeVar

from metrics.pairwise import bradley_terry, elo, elo_path, stops, votes_to_separate
from metrics.pairwise.replay import Elo
from metrics.pairwise.strength import BradleyTerry
from review.comparisons.cast import CHANGED, WHY, Cast
from review.reports.marks import marks_by_category

N_REPLAYS = 50
SEED = 0
ELO_STOPS, BRADLEY_TERRY_STOPS = 60, 12
PREFIX = "system:"
LEFT, RIGHT, BAD = "left", "right", "both_bad"
AnyRated = TypeVar("AnyRated", Elo, BradleyTerry)
AnyNumber = TypeVar("AnyNumber")


@dataclass(frozen=True)
class Settings:
    """The parameters of Table 13 that have an effect; its SD of 300 has none (docs/metrics.md)."""

    initial: float
    k: float
    base: float
    scale: float
    floor: float


@dataclass(frozen=True)
class VotesToCount:
    """The number of countable votes and the key of the newest, to detect new ones."""

    count: int
    last: int


@dataclass(frozen=True)
class Fitted:
    """Bradley-Terry ratings with their 95 % intervals, from metrics.pairwise."""

    ratings: Mapping[str, float]
    low: Mapping[str, float | None]
    high: Mapping[str, float | None]
    ranks: Mapping[str, int] | None
    reason: str


@dataclass(frozen=True)
class Neighbors:
    """Two models next to each other in the ranking. `votes`: how many more would separate them; 0
    if they are separated, None if unknown.
    """

    above: str
    below: str
    votes: int | None


@dataclass(frozen=True)
class Pair:
    """The votes on two models: wins of each, ties, ties where both were bad, and how often the
    first was on the left.
    """

    first: str
    second: str
    votes: int
    first_won: int
    second_won: int
    ties: int
    both_bad: int
    first_left: int


@dataclass(frozen=True, kw_only=True)
class CategoryRatings(Fitted):
    """Bradley-Terry ratings from the votes on one category's clips."""

    category: str
    votes: int
    clips: int
    assumed: bool


@dataclass(frozen=True)
class EloPoint:
    """Elo after so many votes."""

    votes: int
    ratings: Mapping[str, float]


@dataclass(frozen=True)
class StrengthPoint(EloPoint):
    """Bradley-Terry after so many votes on so many clips."""

    low: Mapping[str, float | None]
    high: Mapping[str, float | None]
    assumed: bool
    clips: int


@dataclass(frozen=True, kw_only=True)
class LeaderboardResult:
    """`filtered`: the keys of the votes that don't count, in order, by reason."""

    stored: VotesToCount
    category_marks: Sequence[Sequence[Any]]
    filtered: Mapping[str, Sequence[int]]
    both_bad: str
    elo: Elo
    bradley_terry: BradleyTerry
    neighbours: Sequence[Neighbors]
    pairs: Sequence[Pair]
    categories: Sequence[CategoryRatings]
    elo_path: Sequence[EloPoint]
    bradley_terry_path: Sequence[StrengthPoint]


def rate_models(
    cast: Sequence[Cast],
    settings: Settings,
    both_bad: str,
    votes_at_once: int,
) -> LeaderboardResult:
    """Return the ratings from these votes, in the order in which they count. `votes_at_once`: the
    paths have points only after so many votes."""
    counted = [vote for vote in cast if not vote.why]
    filtered: dict[str, list[int]] = {why: [] for why in WHY}
    for vote in cast:
        if vote.why:
            filtered[vote.why].append(vote.key)
    strengths = _strengths(counted)
    rated = elo(_rows(counted), **asdict(settings), n_replays=N_REPLAYS, seed=SEED)
    elo_ends, bradley_terry_ends = (
        _ends_of_steps(cast, most, votes_at_once) for most in (ELO_STOPS, BRADLEY_TERRY_STOPS)
    )
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
        elo_path=_elo_path(counted, elo_ends, settings),
        bradley_terry_path=_bradley_terry_path(counted, bradley_terry_ends),
    )


def _label(system: int) -> str:
    return f"{PREFIX}{system}"


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
    by_pair: defaultdict[tuple[int, int], list[Cast]] = defaultdict(list)
    for vote in votes:
        by_pair[min(vote.left, vote.right), max(vote.left, vote.right)].append(vote)
    return [_pair(first, second, own) for (first, second), own in sorted(by_pair.items())]


def _pair(first: int, second: int, votes: Sequence[Cast]) -> Pair:
    won = Counter({LEFT: vote.left, RIGHT: vote.right}.get(vote.outcome) for vote in votes)
    return Pair(
        str(first),
        str(second),
        votes=len(votes),
        first_won=won[first],
        second_won=won[second],
        ties=won[None],
        both_bad=sum(vote.outcome == BAD for vote in votes),
        first_left=sum(vote.left == first for vote in votes),
    )


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


def _ends_of_steps(cast: Sequence[Cast], most: int, votes_at_once: int) -> list[int]:
    """Return the numbers of votes at the ends of at most `most` evenly spaced steps, and at the
    end. Ratings inside a step could reveal whose caption is whose.
    """
    pairs = counted = 0
    ends = {0}
    for vote in cast:
        counted += not vote.why
        pairs += vote.why != CHANGED
        if pairs % votes_at_once == 0:
            ends.add(counted)
    after = sorted({*ends, counted} - {0})
    return [after[number - 1] for number in stops(len(after), most)]


def _elo_path(votes: Sequence[Cast], after: Sequence[int], settings: Settings) -> list[EloPoint]:
    path = elo_path(_rows(votes), after, **asdict(settings))
    return [EloPoint(number, _by_key(ratings)) for number, ratings in zip(after, path, strict=True)]


def _bradley_terry_path(votes: Sequence[Cast], after: Sequence[int]) -> list[StrengthPoint]:
    path = []
    for number in after:
        rated = _keyed(_strengths(votes[:number]))
        clips = len({vote.clip for vote in votes[:number]})
        path.append(
            StrengthPoint(number, rated.ratings, rated.low, rated.high, rated.assumed, clips)
        )
    return path
