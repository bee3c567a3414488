"""Checks which captions can be compared."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from reprlib import repr as brief

from metrics.overlap.words import PTB, Words, words_of

NAMED = 3


@dataclass(frozen=True)
class Clip:
    """A clip with its human captions as words, each with at least one. `prediction` is None if the
    model has no caption of the clip, and may be empty.
    """

    key: Hashable
    prediction: Words | None
    references: tuple[Words, ...]


def clips_of(
    predictions: Mapping[Hashable, str],
    references: Mapping[Hashable, Sequence[str]],
    tokenizer: str = PTB,
) -> tuple[list[Clip], tuple[Hashable, ...]]:
    """Return the clips with a human caption, in the order of `references`, and the ids of those
    without. Raises ValueError as `caption_overlap` does.
    """
    unknown = predictions.keys() - references.keys()
    if unknown:
        few = ", ".join(sorted(brief(key) for key in islice(unknown, NAMED)))
        raise ValueError(
            f"predictions of {len(unknown)} ids that references don't have, such as {few}: give "
            "the human captions of each, or leave it out"
        )
    clips, without = [], []
    for key, texts in references.items():
        if isinstance(texts, str):
            raise ValueError(f"references of {brief(key)} are a single text; give a list of texts")
        human = tuple(filter(None, (_words(text, tokenizer, key, "references") for text in texts)))
        predicted = None
        if key in predictions:
            predicted = _words(predictions[key], tokenizer, key, "predictions")
        if human:
            clips.append(Clip(key, predicted, human))
        else:
            without.append(key)
    return clips, tuple(without)


def _words(text: object, tokenizer: str, key: Hashable, name: str) -> Words:
    if not isinstance(text, str):
        raise ValueError(f"{name} of {brief(key)} have {brief(text)}, which is not text")
    return words_of(text, tokenizer)
