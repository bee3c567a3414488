"""A judge's answers about one clip, as stored in `CapstItem.results`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inference.backends.protocols import ElementKind
from metrics.capst import Judged, Sample
from review.elements.lines import KINDS
from review.reports.results import as_json, convert


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
