"""The result of a leaderboard as it is stored and read back. Models are their systems' keys as
texts; sentences have "entrant:12", which a page replaces by the name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metrics.pairwise.replay import Elo
from metrics.pairwise.strength import BradleyTerry
from review.reports.models import Report
from review.reports.stored import StoredKind


@dataclass(frozen=True)
class VotesToCount:
    """The number of countable votes and the key of the newest, to detect new ones."""

    count: int
    last: int


@dataclass(frozen=True)
class EloNumbers:
    """Elo ratings in the order of the votes, and over replays in other orders."""

    ratings: Mapping[str, float]
    mean: Mapping[str, float]
    sd: Mapping[str, float]


@dataclass(frozen=True)
class Fitted:
    """Bradley-Terry ratings with their 95 % intervals, from metrics.pairwise."""

    ratings: Mapping[str, float]
    low: Mapping[str, float | None]
    high: Mapping[str, float | None]
    ranks: Mapping[str, int] | None
    reason: str


@dataclass(frozen=True, kw_only=True)
class LeaderboardNumbers:
    """The numbers in tables. `category_marks`: `marks_by_category` of all countable votes."""

    elo: EloNumbers
    bradley_terry: Fitted
    category_marks: Sequence[Sequence[Any]] | None = None


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
    """Bradley-Terry after so many votes."""

    low: Mapping[str, float | None]
    high: Mapping[str, float | None]
    assumed: bool


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


LEADERBOARD = StoredKind(Report.Name.LEADERBOARD, LeaderboardNumbers)
