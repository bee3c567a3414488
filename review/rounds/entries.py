"""The captions of a comparison round."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count

from review.captions.models import CaptionSet, SetCaption
from review.errors import ReviewError
from review.rounds.self_naming import words_naming

LONGEST_NAMING = 80
ROWS_AT_ONCE = 2000


class Entry(NamedTuple):
    """A caption of a system: a number that identifies its text, and its words that name a model
    of the round. The text itself isn't kept, because a round may have hundreds of thousands.
    """

    caption: int
    says: int
    naming: str


# By clip.
Entries = dict[int, Entry]


def entries_of(sets: Sequence[CaptionSet]) -> dict[int, Entries]:
    """Return set -> its entries. A caption that names another model of the round reveals as much as
    one that names its own, so both are marked."""
    names = [name for caption_set in sets for name in _names(caption_set)]
    return {caption_set.pk: _entries(caption_set, names) for caption_set in sets}


def _names(caption_set: CaptionSet) -> list[str]:
    names = [caption_set.name]
    if caption_set.run and caption_set.run.model:
        model = caption_set.run.model
        names += [model.name, model.model_id.rsplit("/", 1)[-1]]
    return names


def _entries(caption_set: CaptionSet, names: Sequence[str]) -> Entries:
    kept = SetCaption.objects.filter(
        caption_set=caption_set, clip__video__excluded_because="", clip__excluded_because=""
    )
    rows = kept.order_by("clip")
    texts = rows.values_list("clip", "caption", "caption__text").iterator(ROWS_AT_ONCE)
    return {
        clip: Entry(caption, hash(text), words_naming(text, names)[:LONGEST_NAMING])
        for clip, caption, text in texts
    }


def comparable_clips(first: Entries, second: Entries) -> set[int]:
    """Return the clips whose two captions can be shown and differ."""
    both = shown_clips(first) & shown_clips(second)
    return {clip for clip in both if first[clip].says != second[clip].says}


def shown_clips(entries: Entries) -> set[int]:
    """Return the clips whose caption can be shown, because it names no model of the round."""
    return {clip for clip, entry in entries.items() if not entry.naming}


def drawn_clips(entries: Mapping[int, Entries], clips: int | None, seed: int) -> list[int]:
    """Return the shuffled clips of the round: `clips` (None: all) of those with showable captions
    of at least two sets. Raises ReviewError if there are fewer.
    """
    captions_of_clip: dict[int, int] = {}
    for by_clip in entries.values():
        for clip in shown_clips(by_clip):
            captions_of_clip[clip] = captions_of_clip.get(clip, 0) + 1
    shared = sorted(clip for clip, count in captions_of_clip.items() if count > 1)
    _refuse_number(clips, len(shared))
    return random.Random(seed).sample(shared, clips or len(shared))


def refuse_too_many(sets: Sequence[CaptionSet], clips: int | None) -> None:
    """Raises ReviewError if no two sets have captions of enough clips. Doesn't read the captions,
    so some may still turn out to name their model.
    """
    by_clip = SetCaption.objects.filter(caption_set__in=sets).order_by().values("clip")
    _refuse_number(clips, by_clip.annotate(n=Count("pk")).filter(n__gt=1).count())


def _refuse_number(clips: int | None, shared: int) -> None:
    if not shared:
        raise ReviewError(
            "No clip has captions of two of these models. Run the models on the same clips first."
        )
    if clips is not None and not 1 <= clips <= shared:
        raise ReviewError(
            f"{clips} clips are asked for, but {shared} have captions of two of these models. "
            f"Ask for 1 to {shared}."
        )
