"""The numbers of a stored leaderboard that tables show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from review.leaderboard.computing import Fitted, LeaderboardResult, WeightedResult
from review.reports.models import Report
from review.reports.results import result_of
from review.reports.stored import StoredKind


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
    category_marks: Sequence[Sequence[Any]] | None = None


LEADERBOARD = StoredKind(Report.Name.LEADERBOARD, LeaderboardNumbers)


def leaderboard_result(report: Report) -> LeaderboardResult:
    """Return the whole result: a WeightedResult if its votes have weights."""
    return result_of(
        report, WeightedResult if "weights" in report.parameters else LeaderboardResult
    )
