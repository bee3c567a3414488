"""Shorthand for what a judge answered."""

from __future__ import annotations

from metrics.capst import CONTRADICTION, ENTAILMENT, NEUTRAL, Judged, Sample

WORDS = {"e": ENTAILMENT, "n": NEUTRAL, "c": CONTRADICTION}


def spell_out(letters: str | None) -> list[str] | None:
    """Return a relation for each letter: "een" is two entailed elements and a neutral one, "" is no
    element, and None is no answer."""
    return None if letters is None else [WORDS[letter] for letter in letters]


def judged(reference: str | None, predicted: str | None) -> Judged:
    return Judged(spell_out(reference), spell_out(predicted))


def sample(
    clip: object,
    events: tuple[str | None, str | None] = ("e", "e"),
    objects: tuple[str | None, str | None] = ("e", "e"),
    category: str = "",
) -> Sample:
    """Events and objects as (reference's elements, prediction's elements)."""
    return Sample(clip, category, judged(*events), judged(*objects))
