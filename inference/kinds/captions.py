"""Stores machine captions."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.corpus.services.precedence import settle_captions
from annotate.errors import ItemFailed
from annotate.models import Caption, Clip
from annotate.text.words import count_words
from inference.backends.replies import left_out_of
from inference.models import RunItem
from inference.recipes import ModelRecipe


def record_machine_caption(
    clip: Clip,
    text: str,
    *,
    model: ModelRecipe,
    item: RunItem,
    kind: str = Caption.Kind.GENERAL,
    parents: Sequence[int] = (),
    because: str = "",
) -> Caption:
    """Store a new caption of the clip, with the captions it was made from as parents.

    `model` is the model's part of the run's recipe; its name and the run are stored with the text.
    The caption has the rank of a machine caption, unless `because` says that it is accepted.
    """
    caption = Caption.objects.create(
        project_id=clip.project_id,
        clip=clip,
        kind=kind,
        source=Caption.Source.MACHINE,
        text=text,
        word_count=count_words(text),
        provenance=[{"model": model.name, "spec": model.spec, "run": item.run_id}],
    )
    if parents:
        caption.parents.add(*parents)
    settle_captions([caption], because)
    return caption


def note_of(caption: Caption, reply: str) -> str:
    """Return the note of an item: the caption's words, and parameters that were not sent."""
    words = f"{caption.word_count} words"
    left_out = left_out_of(reply)
    return f"{words}; not sent: {', '.join(left_out)}" if left_out else words


def showable(text: str) -> str:
    """Return a model's reply cleaned for storage. Raises ItemFailed if it has no words."""
    cleaned = text.replace("\x00", "").strip()
    if not count_words(cleaned):
        raise ItemFailed(
            "empty_reply",
            "The model replied without a word. Retry it, or change the prompt or the model.",
        )
    return cleaned
