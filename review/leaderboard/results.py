"""The numbers of a stored leaderboard that tables show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from review.leaderboard import NAME
from review.leaderboard.computing import Fitted, LeaderboardResult
from review.reports.models import Report
from review.reports.results import parameters_of, result_of
from review.reports.stored import Stored, StoredKind


@dataclass(frozen=True)
class EloNumbers:
    """Elo ratings in the order of the votes, and over replays in other orders."""

    ratings: Mapping[str, float]
    mean: Mapping[str, float]
    sd: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class LeaderboardNumbers:
    """The numbers in tables. `category_marks`: `marks_by_category` of all countable votes."""

    elo: EloNumbers
    bradley_terry: Fitted
    category_marks: Sequence[Sequence[Any]]


@dataclass(frozen=True, kw_only=True)
class LeaderboardParameters:
    """`clips` and `reviewers` count those with votes that count, of all that were `cast`; the five
    after them are Elo's. The last three say
    how the models were asked.
    """

    round: int
    cast: int
    models: int
    reviewers: int
    clips: int
    initial: float
    k: float
    base: float
    scale: float
    floor: float
    both_bad: str
    replays: int
    interval: str
    prompts: str
    theme: str
    asked: str


LEADERBOARD = StoredKind(NAME, LeaderboardNumbers, LeaderboardParameters)
StoredLeaderboard = Stored[LeaderboardNumbers, LeaderboardParameters]


def leaderboard_parameters(report: Report) -> LeaderboardParameters:
    return parameters_of(report, LeaderboardParameters)


def leaderboard_result(report: Report) -> LeaderboardResult:
    return result_of(report, LeaderboardResult)
