"""What CapST stores: a judge's answers about each clip (`CapstItem.results`), and the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inference.backends.protocols import ElementKind
from metrics.capst import Judged, Sample
from metrics.capst.estimate import BranchScores
from metrics.capst.presets import Preset
from metrics.capst.scores import CategoryScores
from review.capst import NAME
from review.capst.models import CapstRun
from review.elements.lines import KINDS
from review.reports.results import as_json, convert
from review.reports.stored import Stored, StoredKind


@dataclass(frozen=True)
class JudgedList:
    """`extraction`: the key of the list, or None. `judged`: the relationship and the reason of each
    element; None without a usable answer, and `failure` says why.
    """

    extraction: int | None
    elements: Sequence[str] | None
    judged: Sequence[tuple[str, str]] | None
    failure: str

    @property
    def relationships(self) -> Sequence[str] | None:
        if self.judged is None:
            return None
        return [relationship for relationship, _ in self.judged]


@dataclass(frozen=True)
class JudgedKind:
    """The lists of one kind of elements."""

    reference: JudgedList
    predicted: JudgedList

    @property
    def sides(self) -> Sequence[tuple[str, JudgedList]]:
        return (("reference", self.reference), ("predicted", self.predicted))


@dataclass(frozen=True)
class Judgments:
    """The lists of a clip; None before they were judged."""

    events: JudgedKind | None = None
    objects: JudgedKind | None = None

    def of(self, kind: ElementKind) -> JudgedKind | None:
        return self.events if kind == "events" else self.objects

    @property
    def kinds(self) -> Iterator[tuple[ElementKind, JudgedKind]]:
        """Yield the kinds that were judged."""
        for kind in KINDS:
            if (judged := self.of(kind)) is not None:
                yield kind, judged


def judgments_of(stored: object) -> Judgments:
    """Return a clip's stored results. Raises OldResult if they have another shape."""
    return convert(stored, Judgments)


def stored_form(judgments: Judgments) -> dict[str, object]:
    """Return what `judgments_of` reads, without the kinds that were not judged."""
    return {kind: as_json(judged) for kind, judged in judgments.kinds}


def sample_of(clip: int, category: str, judgments: Judgments) -> Sample:
    return Sample(clip, category, *(_relationships(judgments.of(kind)) for kind in KINDS))


def _relationships(judged: JudgedKind | None) -> Judged:
    if judged is None:
        return Judged(None, None)
    return Judged(judged.reference.relationships, judged.predicted.relationships)


def references_used(judgments: Judgments) -> set[int]:
    """Return the keys of the human captions' lists that a clip was judged with."""
    keys = {judged.reference.extraction for _, judged in judgments.kinds}
    return {key for key in keys if key is not None}


def failures(judgments: Judgments) -> list[str]:
    """Return the lists without a usable answer, with the reasons."""
    return [
        f"{kind.capitalize()} of the {'human caption' if side == 'reference' else 'prediction'}: "
        f"{judged_list.failure}"
        for kind, judged in judgments.kinds
        for side, judged_list in judged.sides
        if judged_list.failure
    ]


@dataclass(frozen=True, kw_only=True)
class CapstNumbers(CategoryScores):
    """The numbers in tables. `references`: the keys of the human captions' lists. `category_marks`:
    `marks_by_category` of the clips.
    """

    by_category: Mapping[str, CategoryScores]
    run: int
    references: Sequence[int]
    category_marks: Sequence[Sequence[Any]]


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

    @property
    def model(self) -> str:
        return self.captions


CAPST = StoredKind(NAME, CapstNumbers, CapstParameters)
StoredCapst = Stored[CapstNumbers, CapstParameters]


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


def preset_words(preset: str) -> str:
    return f"settings “{CapstRun.Preset(preset).label}”"
