"""Short hands for what a judge said."""

from __future__ import annotations

from metrics.capst import CONTRADICTION, ENTAILMENT, NEUTRAL, Judged, Sample

WORDS = {"e": ENTAILMENT, "n": NEUTRAL, "c": CONTRADICTION}


def said(letters: str | None) -> list[str] | None:
    """ "een" is two entailed elements and a neutral one; "" none; None no answer."""
    return None if letters is None else [WORDS[letter] for letter in letters]


def judged(reference: str | None, predicted: str | None) -> Judged:
    return Judged(said(reference), said(predicted))


def sample(
    clip: object,
    events: tuple[str | None, str | None] = ("e", "e"),
    objects: tuple[str | None, str | None] = ("e", "e"),
    category: str = "",
) -> Sample:
    """Events and objects as (reference's elements, prediction's elements)."""
    return Sample(clip, category, judged(*events), judged(*objects))
