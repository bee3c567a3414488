"""The result of CapST as it is stored and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metrics.capst.estimate import BranchScores
from metrics.capst.presets import Preset
from metrics.capst.scores import CategoryScores
from review.reports.models import Report
from review.reports.stored import Stored, StoredKind


@dataclass(frozen=True, kw_only=True)
class CapstNumbers(CategoryScores):
    """What tables show. `references`: the keys of the lists of human captions. `category_marks`:
    `marks_by_category` of the clips; None in earlier reports."""

    by_category: Mapping[str, CategoryScores]
    run: int
    references: Sequence[int]
    category_marks: Sequence[Sequence[Any]] | None = None


@dataclass(frozen=True, kw_only=True)
class CapstResult(CapstNumbers):
    """All that metrics.capst gives, with the run that it is of."""

    preset: Preset
    n_bootstrap: int
    seed: int
    version: int


CAPST = StoredKind(Report.Name.CAPST, CapstNumbers)
StoredCapst = Stored[CapstNumbers]


def branch_of(scores: CategoryScores, kind: str) -> BranchScores:
    """Return the scores of "events" or "objects"."""
    return scores.events if kind == "events" else scores.objects


def capst_clip_counts(result: CapstNumbers) -> list[int]:
    """Return how many clips each number of a result rests on."""
    return [
        share.n
        for branch in (result.events, result.objects)
        for share in (branch.recall, branch.precision)
    ]
