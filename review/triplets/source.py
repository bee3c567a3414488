"""The rows that an import of triplets reads, for all forms of the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from review.errors import ReviewError
from review.triplets.caps import Caps
from review.triplets.tfcovr import Line, refusal


class Spot(NamedTuple):
    """A place in the files."""

    file: str
    number: int
    unit: str = "line"

    def refuse(self, what: str) -> ReviewError:
        return refusal(self.file, self.number, what, self.unit)


class ClipRow(NamedTuple):
    """`source`: the long video that the clip is from, empty if the files don't say."""

    spot: Spot
    name: str
    label: str
    split: str
    source: str = ""


class LabelRow(NamedTuple):
    """`counts_as`: the key of another label, empty for none, None if the files don't say."""

    spot: Spot
    key: str
    caption: str
    domain: str
    counts_as: str | None = None


class TextRow(NamedTuple):
    """The text from one label to another. `provenance`: who or what made it, in a release."""

    spot: Spot
    source: str
    target: str
    kind: str
    text: str
    provenance: Mapping[str, str] | None = None


class VerdictRow(NamedTuple):
    """A verdict on a query, which is named by its place in its split. `by` is a pseudonym; `valid`,
    `wrong` and `added` are names of clips."""

    spot: Spot
    split: str
    query: int
    by: str
    right: bool
    enough: bool
    needed: bool
    corrected: str
    valid: tuple[str, ...]
    wrong: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(frozen=True)
class About:
    """How a set was made."""

    seed: int = 0
    most_targets: int = 10
    other_sources: str = ""
    test_queries: int = 0
    caps: Caps = field(default_factory=Caps)


class TripletSource(Protocol):
    """The files of a set. Missing data is empty. Each method raises ReviewError.

    `may_correct`: people can have corrected the text of a query, so that it differs from its
    direction's.
    """

    name: str
    may_correct: bool

    def clips(self) -> Iterator[ClipRow]: ...

    def labels(self) -> Iterator[LabelRow]: ...

    def texts(self) -> Iterator[TextRow]: ...

    def lines(self, split: str) -> Iterator[Line]: ...

    def verdicts(self) -> Iterator[VerdictRow]: ...

    def about(self) -> About: ...


VERDICT_FIELDS: dict[str, type] = {
    "by": str, "right": bool, "enough": bool, "needed": bool, "corrected": str,
    "valid": list, "wrong": list, "added": list,
}  # fmt: skip


def verdict_row(spot: Spot, split: str, query: int, verdict: object) -> VerdictRow:
    """Return a verdict as a release writes it. Raises ReviewError."""
    values: dict[str, Any] = dict(verdict) if isinstance(verdict, dict) else {}
    for name, kind in VERDICT_FIELDS.items():
        value = values.get(name)
        if type(value) is not kind:
            raise spot.refuse(f"{name} of a verdict is missing or has another type.")
        if isinstance(value, list) and not all(isinstance(clip, str) for clip in value):
            raise spot.refuse(f"{name} of a verdict must list names of clips.")
    lists: list[tuple[str, ...]] = [tuple(values[name]) for name in ("valid", "wrong", "added")]
    right, enough, needed = (values[name] for name in ("right", "enough", "needed"))
    return VerdictRow(
        spot, split, query, values["by"], right, enough, needed, values["corrected"], *lists
    )
