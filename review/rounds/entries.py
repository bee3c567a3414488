"""The captions of a comparison round, and which of them name the model that wrote them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from django.db.models import Count

from review.captions.models import CaptionSet, SetCaption
from review.errors import ReviewError

# Families of models and their makers, as in "As a Qwen model, I ...".
FAMILIES = (
    *("anthropic", "aria", "blip", "chatgpt", "claude", "cogvlm", "deepseek", "flamingo"),
    *("gemini", "gemma", "gpt", "grok", "internvl", "internvideo", "kimi", "llama", "llava"),
    *("minicpm", "mistral", "mplug", "openai", "phi", "pixtral", "qwen", "tarsier", "vicuna"),
    *("videochat", "videollama", "vila"),
)
# Names that are also words, animals or people, which name a model only in capitals.
AMBIGUOUS = frozenset(
    {"aria", "blip", "flamingo", "grok", "kimi", "llama", "mistral", "phi", "vicuna", "vila"}
)
# "A" and "7" are in every other caption.
MIN_LETTERS = 2
_PARTS = re.compile(r"[^\W\d_]+|\d+")
MAX_NAMING_LENGTH = 80
ROW_BATCH_SIZE = 2000


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
    texts = rows.values_list("clip", "caption", "caption__text").iterator(ROW_BATCH_SIZE)
    return {
        clip: Entry(caption, hash(text), words_naming(text, names)[:MAX_NAMING_LENGTH])
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


def words_naming(text: str, names: Iterable[str]) -> str:
    """Return the words of `text` that name the model with any of `names`; "" for none.

    A model is named by its whole name, in any spacing or hyphenation, or by its family, with or
    without a version: "Qwen2-VL" and "qwen" for Qwen2.5-VL-7B, "LLaVA" for LLaVANeXT. A name
    without a digit and outside the known families, such as "Draft", counts only with the same
    capitals, because it may be a common word. A name of fewer than two letters never counts.
    """
    # Checked first, because patterns are slow and hundreds of thousands of captions name no model.
    folded = text.casefold()
    for name in names:
        match = _whole_name(text, folded, name) or _family(text, folded, name)
        if match:
            return match
    return ""


def _whole_name(text: str, folded: str, name: str) -> str:
    parts = _PARTS.findall(name)
    if not all(part.casefold() in folded for part in parts):
        return ""
    if sum(map(str.isalpha, name)) < MIN_LETTERS:
        return ""
    is_telling = any(character.isdigit() for character in name) or len(parts) > 2
    pattern = r"\b" + r"[\W_]*".join(map(re.escape, parts)) + r"\b"
    match = re.search(pattern, text, re.IGNORECASE if is_telling else 0)
    is_word = match is not None and not is_telling and match[0].islower()
    return match[0] if match and not is_word else ""


@cache
def _families(name: str) -> tuple[str, ...]:
    parts = _PARTS.findall(name.lower())
    return tuple(family for family in FAMILIES if any(part.startswith(family) for part in parts))


def _family(text: str, folded: str, name: str) -> str:
    for family in _families(name):
        if family not in folded:
            continue
        is_word = family in AMBIGUOUS
        spellings = f"{family.upper()}|{family.capitalize()}" if is_word else family
        pattern = rf"\b(?:{spellings})(?:[-\s]?\d[\w.]*)?\b"
        if match := re.search(pattern, text, 0 if is_word else re.IGNORECASE):
            return match[0]
    return ""
