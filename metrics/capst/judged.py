"""The judge's answers about the elements of a clip's reference and prediction."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from reprlib import repr as brief

ENTAILMENT = "entailment"
NEUTRAL = "neutral"
CONTRADICTION = "contradiction"
RELATIONSHIPS = (ENTAILMENT, NEUTRAL, CONTRADICTION)


@dataclass(frozen=True)
class Judged:
    """The relationship of each listed element to the other text.

    `reference`: the reference's elements, judged against the prediction (recall). `predicted`: the
    prediction's elements, judged against the reference (precision). Empty if the text has no such
    element. None without a usable answer, because the extraction or the judge failed.
    """

    reference: Sequence[str] | None
    predicted: Sequence[str] | None


@dataclass(frozen=True)
class Sample:
    """One clip with one prediction. `category` may be empty."""

    clip: Hashable
    category: str
    events: Judged
    objects: Judged


def relationship_of(value: object) -> str:
    """Return `value` if it is one of RELATIONSHIPS, in exactly that spelling.

    Raises ValueError for anything else, because the meaning of another word would be a guess. Ask
    the judge again, or pass None for the whole list.
    """
    if isinstance(value, str) and value in RELATIONSHIPS:
        return value
    raise ValueError(
        f"{brief(value)} is not a relationship: give {', '.join(RELATIONSHIPS[:-1])} or "
        f"{RELATIONSHIPS[-1]}"
    )


def checked(samples: Sequence[Sample]) -> None:
    """Raise ValueError, naming the clip, for a repeated clip and for an unknown relationship."""
    seen = set()
    for sample in samples:
        if sample.clip in seen:
            raise ValueError(f"clip {sample.clip!r} comes twice; give one sample a clip")
        seen.add(sample.clip)
        for name, judged in (("event", sample.events), ("object", sample.objects)):
            for side in (judged.reference, judged.predicted):
                _checked_list(side, f"clip {sample.clip!r}, {name}")


def _checked_list(relationships: Sequence[str] | None, place: str) -> None:
    # A string is a sequence too.
    if isinstance(relationships, str):
        raise ValueError(f"{place}s: give a list of relationships, not {brief(relationships)}")
    for number, value in enumerate(relationships or (), 1):
        try:
            relationship_of(value)
        except ValueError as error:
            raise ValueError(f"{place} {number}: {error}") from None
