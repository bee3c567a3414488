"""The result of CapST as stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metrics.capst.estimate import BranchScores
from metrics.capst.presets import Preset
from metrics.capst.scores import CategoryScores
from review.reports.models import Report
from review.reports.results import parameters_of
from review.reports.stored import Stored, StoredKind


@dataclass(frozen=True, kw_only=True)
class CapstNumbers(CategoryScores):
    """The numbers in tables. `references`: the keys of the human captions' lists. `category_marks`:
    `marks_by_category` of the clips; None in earlier reports.
    """

    by_category: Mapping[str, CategoryScores]
    run: int
    references: Sequence[int]
    category_marks: Sequence[Sequence[Any]] | None = None


@dataclass(frozen=True, kw_only=True)
class CapstResult(CapstNumbers):
    """All results of metrics.capst, with their run."""

    preset: Preset
    n_bootstrap: int
    seed: int
    version: int


@dataclass(frozen=True, kw_only=True)
class CapstParameters:
    """`captions`: the name of the set, with how its model was asked. `references`: a key of
    REFERENCES. `prompts`: the SHA-256 of a loaded prompt file. `checked`: how many of the human
    captions' lists a person has checked, of how many.
    """

    captions: str
    prompt: str
    frames: str
    theme: str
    run: int
    preset: str
    references: str
    extractor: str
    judge: str
    prompts: str | None = None
    clips: int
    failed: int
    checked: str
    bootstrap: int


CAPST = StoredKind(Report.Name.CAPST, CapstNumbers, parameters=CapstParameters)
StoredCapst = Stored[CapstNumbers]


def parameters_used(stored: StoredCapst) -> CapstParameters:
    return parameters_of(stored.report, CapstParameters)


def branch_of(scores: CategoryScores, kind: str) -> BranchScores:
    """Return the scores of "events" or "objects"."""
    return scores.events if kind == "events" else scores.objects


def capst_clip_counts(result: CapstNumbers) -> list[int]:
    """Return the number of clips behind each number of a result."""
    return [
        share.n
        for branch in (result.events, result.objects)
        for share in (branch.recall, branch.precision)
    ]
