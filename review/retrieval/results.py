"""The result of a report of recall, as it is stored and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import stdev
from typing import Any

from review.reports.models import Report
from review.reports.stored import StoredKind
from review.retrieval.making import Making
from review.retrieval.searching import T2V


@dataclass(frozen=True)
class Shares:
    """Recall by K, from 0 to 1; None without queries."""

    recall: Mapping[int, float | None]
    n_queries: int


@dataclass(frozen=True)
class Curve:
    """Hits at K of 1, 2, …, with the ends of the 95 % interval of each recall over `n_videos`,
    0 to 1; no ends where `reason` says why.
    """

    hits: Sequence[int]
    low: Sequence[float]
    high: Sequence[float]
    n_videos: int
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Way(Shares):
    """One direction: the recall of all queries and of those of each category, in a gallery of
    `n_gallery`. `reason` explains why there is no recall. Earlier reports have no `curve`.
    """

    n_gallery: int
    by_category: Mapping[str, Shares]
    reason: str = ""
    curve: Curve | None = None


@dataclass(frozen=True)
class BothWays:
    """Text to video and video to text."""

    t2v: Way
    v2t: Way

    def way(self, name: str) -> Way:
        """`name`: of DIRECTIONS."""
        return self.t2v if name == T2V else self.v2t


@dataclass(frozen=True)
class RecallNumbers:
    """The numbers that tables show, by kind of caption."""

    kinds: Mapping[str, BothWays] = field(default_factory=dict)


@dataclass(frozen=True)
class Seconds:
    """The seconds of the timed steps (LoVR, section 4.1.1), which a report isn't computed from:
    the means over the runs, and each run. Reports from before 2 have one run without a list.
    """

    with_io: float
    without_io: float
    runs_with_io: Sequence[float] = ()
    runs_without_io: Sequence[float] = ()

    @property
    def n_runs(self) -> int:
        return max(1, len(self.runs_with_io))

    @property
    def spreads(self) -> tuple[float | None, float | None]:
        """Return the sample standard deviations with and without I/O; None for one run."""
        if self.n_runs == 1:
            return None, None
        return stdev(self.runs_with_io), stdev(self.runs_without_io)


@dataclass(frozen=True, kw_only=True)
class FullWay(Way):
    """One direction with all its numbers."""

    hits: Mapping[int, int]
    median_rank: float | None
    seconds: Seconds


@dataclass(frozen=True)
class FullBothWays(BothWays):
    t2v: FullWay
    v2t: FullWay

    def way(self, name: str) -> FullWay:
        return self.t2v if name == T2V else self.v2t


@dataclass(frozen=True, kw_only=True)
class VectorInfo(RecallNumbers):
    """The vectors' origin, with their `space` ("" for a file) and the sampling of frames.
    `by_source`: the captions of each kind by source.
    """

    space: str = ""
    sampling: Mapping[str, Any] | None = None
    by_source: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RecallResult(VectorInfo):
    """The whole result. `without`: captions of each kind that are no queries because their clip has
    no vector. `sha256` is that of the vectors. `made`: how the vectors of each part were made, and
    `searched_on` the device of the search; both are empty in earlier reports.
    """

    kinds: Mapping[str, FullBothWays] = field(default_factory=dict)
    dimension: int
    without: Mapping[str, int]
    sha256: str
    made: Mapping[str, Making] = field(default_factory=dict)
    searched_on: str = ""


RECALL = StoredKind(Report.Name.RECALL, RecallNumbers)


def recall_clip_counts(result: RecallNumbers) -> list[int]:
    """Return how many clips of each kind of caption a result describes."""
    return [ways.v2t.n_queries for ways in result.kinds.values()]
