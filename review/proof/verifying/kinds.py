"""How the numbers of each kind of report are computed from the files of a release."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from review.comparisons.cast import VOTES_AT_ONCE, Cast
from review.leaderboard.computing import Settings, rate_models
from review.reports.plain import Vectors


class Tables(Protocol):
    """What a report was computed from."""

    def rows(self, name: str) -> list[dict[str, Any]]: ...

    def vectors(self, name: str) -> Vectors: ...

    def __contains__(self, name: str) -> bool: ...


@dataclass(frozen=True)
class StoredReport:
    """A report as its file has it."""

    name: str
    subject: str
    parameters: Mapping[str, Any]
    seed: int
    result: Any


@dataclass(frozen=True)
class Recomputed:
    """`compute` returns the result, or what of it can be computed. `left_out`: keys of the result,
    joined by dots, that aren't computed from the files, with the reason; * is any key."""

    compute: Callable[[StoredReport, Tables], object]
    left_out: Mapping[str, str] = field(default_factory=dict)


def _leaderboard(report: StoredReport, tables: Tables) -> object:
    settings = Settings(**{key: report.parameters[key] for key in Settings.__annotations__})
    votes = [Cast(**row) for row in tables.rows("votes")]
    return rate_models(votes, settings, report.parameters["both_bad"], VOTES_AT_ONCE)


RECOMPUTED: Mapping[str, Recomputed] = {
    "leaderboard": Recomputed(_leaderboard),
}
# Why the numbers of the other kinds aren't computed again.
LATER = "A release doesn't have what it is computed from yet."
NOT_RECOMPUTED: Mapping[str, str] = {
    "agreement": LATER,
    "assessment": "It sums up what the reports on agreement, ratings and thresholds say.",
    "capst": LATER,
    "correlation": LATER,
    "identification": LATER,
    "leakage": LATER,
    "map": LATER,
    "overlap": "METEOR needs WordNet, and all scores need a tokenizer beside Python and numpy.",
    "ratings": LATER,
    "rebias": LATER,
    "recall": LATER,
    "statistics": LATER,
    "threshold": LATER,
    "unified": LATER,
}
