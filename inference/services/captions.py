"""Storing what a model wrote: captions are annotate's, and machine captions are made here."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.models import Caption, Clip
from annotate.text.words import count_words
from inference.kinds.base import ItemFailed


def record_machine_caption(
    clip: Clip, text: str, *, kind: str = Caption.Kind.GENERAL, parents: Sequence[int] = ()
) -> Caption:
    """One new caption of the clip, with the captions it was made from as parents."""
    caption = Caption.objects.create(
        project_id=clip.project_id,
        clip=clip,
        kind=kind,
        source=Caption.Source.MACHINE,
        text=text,
        word_count=count_words(text),
    )
    if parents:
        caption.parents.add(*parents)
    return caption


def showable(text: str) -> str:
    """A model's reply as it can be stored. Raises ItemFailed where it holds no word."""
    cleaned = text.replace("\x00", "").strip()
    if not count_words(cleaned):
        raise ItemFailed(
            "empty_reply",
            "The model replied without a word. Retry it, or change the prompt or the model.",
        )
    return cleaned
