"""Detects captions that name the model that wrote them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

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
FEWEST_LETTERS = 2
_PARTS = re.compile(r"[^\W\d_]+|\d+")


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
    if sum(map(str.isalpha, name)) < FEWEST_LETTERS:
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
