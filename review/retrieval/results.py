"""The result of a report of recall as stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from review.reports.stored import Stored, StoredKind
from review.retrieval import NAME
from review.retrieval.computing import BothWays, FullBothWays
from review.retrieval.making import Making
from review.retrieval.queries import FROM_FILE


@dataclass(frozen=True)
class RecallNumbers:
    """The numbers that tables show, by kind of caption."""

    kinds: Mapping[str, BothWays] = field(default_factory=dict)


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
    """The whole result. `without`: captions of each kind that are not queries because their clip
    has no vector. `sha256` is that of the vectors. `made`: how the vectors of each part were made,
    and `searched_on` the device of the search.
    """

    kinds: Mapping[str, FullBothWays] = field(default_factory=dict)
    dimension: int
    without: Mapping[str, int]
    sha256: str
    made: Mapping[str, Making]
    searched_on: str


@dataclass(frozen=True, kw_only=True)
class VectorParameters:
    """Those of recall and ReBias. `space`, `frames` and `stale` are of vectors of runs, `file` and
    `newer` of those of a file. `captions` says whose count; the six after it count the things with
    vectors, and `full_video` those captions. `curve` is of recall alone.
    """

    model: str
    space: str | None = None
    frames: str | None = None
    stale: int | None = None
    file: str | None = None
    newer: int | None = None
    captions: str
    clips: int | None = None
    videos: int | None = None
    general: int | None = None
    spatial: int | None = None
    temporal: int | None = None
    full_video: int | None = None
    k: str
    ties: float | None = None
    curve: int | None = None
    bootstrap: int | None = None

    @property
    def frames_in_words(self) -> str:
        return self.frames or FROM_FILE


def vectors_in_words(parameters: VectorParameters) -> str:
    return f"model {parameters.model}, {parameters.frames or 'vectors from a file'}"


RECALL = StoredKind(NAME, RecallNumbers, VectorParameters)
StoredRecall = Stored[RecallNumbers, VectorParameters]
StoredVectors = Stored[Any, VectorParameters]


def recall_clip_counts(result: RecallNumbers) -> list[int]:
    """Return how many clips of each kind of caption a result describes."""
    return [ways.v2t.n_queries for ways in result.kinds.values()]
