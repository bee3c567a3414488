"""The input of a model for its captions: prompt, frames, and whether it got the theme.

Two sets of captions are comparable only if their models got the same input. A model that got the
theme of a video, or its category and subcategory, knew part of what its caption is judged by.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from django.db import models

MAX_LENGTH_IN_SIGNATURE = 40
MAX_NAMED = 8


class Theme(models.TextChoices):
    """Whether a model was given the theme of each video, or its category and subcategory."""

    UNKNOWN = "", "unknown"
    NOT_TOLD = "not_told", "not told"
    TOLD = "told", "told"
    NO_MODEL = "no_model", "no model"


_MARKS = {
    Theme.TOLD: "told the theme",
    Theme.NOT_TOLD: "no theme",
    Theme.UNKNOWN: "theme unknown",
    Theme.NO_MODEL: "no model",
}
_IN_SIGNATURE = {Theme.TOLD: "told", Theme.NOT_TOLD: "no", Theme.NO_MODEL: "none"}
_SEPARATORS = str.maketrans("|:\n\r\t", "     ")


class Asked(TypedDict):
    """Parameters of a report about one set of captions: how its model was asked."""

    prompt: str
    frames: str
    theme: str


class AskedTogether(TypedDict):
    """Parameters of a report that compares several sets: the number of prompts, and who got the
    theme. `asked` is a hash of all instructions, so that other instructions make another report."""

    prompts: str
    theme: str
    asked: str


@dataclass(frozen=True)
class Instructions:
    """The input of one set's model. `prompt` and `frames` are "" if unknown.

    `reads_prompt` is False for a model that only measures.
    """

    name: str
    prompt: str
    system: str
    frames: str
    theme: str
    reads_prompt: bool = True

    @property
    def is_told(self) -> bool:
        return self.theme == Theme.TOLD

    @property
    def asks_no_model(self) -> bool:
        """Whether people wrote the captions, or a program made them up."""
        return self.theme == Theme.NO_MODEL

    @property
    def mark(self) -> str:
        """Return the mark that every table shows beside the model's name."""
        if not self.reads_prompt or self.asks_no_model:
            return "no prompt"
        if self.is_told or self.prompt:
            return self.theme_in_words
        return "prompt unknown"

    @property
    def prompt_in_words(self) -> str:
        if not self.reads_prompt:
            return "none: this model reads no prompt"
        if self.asks_no_model:
            return "none: people or a program wrote these captions"
        return self.prompt or "unknown"

    @property
    def theme_in_words(self) -> str:
        return _MARKS[Theme(self.theme)]

    @property
    def theme_alone(self) -> str:
        """Return the value of a column named Theme: "told", "not told", "none" or "unknown"."""
        return "none" if self.asks_no_model else str(Theme(self.theme).label)

    @property
    def frames_in_words(self) -> str:
        return self.frames or ("none" if self.asks_no_model else "unknown")

    @property
    def for_signature(self) -> Asked:
        """Return them with the beginning of the prompt, and the hash of the whole prompt."""
        prompt = "unknown" if self.reads_prompt and not self.asks_no_model else "none"
        if self.prompt:
            head = self.prompt.translate(_SEPARATORS)[:MAX_LENGTH_IN_SIGNATURE].strip()
            prompt = f"{head} {self.digest}"
        return {
            "prompt": prompt,
            "frames": self.frames_in_words.translate(_SEPARATORS),
            "theme": _IN_SIGNATURE.get(Theme(self.theme), "unknown"),
        }

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.system}\n{self.prompt}".encode()).hexdigest()[:8]

    @property
    def as_dict(self) -> dict[str, str]:
        """The instructions as the columns of a file."""
        return {
            "prompt": self.prompt_in_words,
            "system": self.system,
            "frames": self.frames_in_words,
            "theme": self.theme_in_words,
        }


def theme_notice(asked: Iterable[Instructions]) -> str:
    """Return the warning about models that got the theme; "" if none did."""
    names = [instructions.name for instructions in asked if instructions.is_told]
    if not names:
        return ""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    listed = ", ".join(names[:MAX_NAMED]) + more
    subject = "This model was" if len(names) == 1 else "These models were"
    return (
        f"Told the theme: {listed}. {subject} given the theme of each video, or its category "
        "and subcategory, with the prompt. Don’t compare such captions with those of models that "
        "saw only the video."
    )


def summary_for_signature(asked: Sequence[Instructions]) -> AskedTogether:
    parts = sorted(
        "\n".join([instructions.name, *map(str, instructions.for_signature.values())])
        for instructions in asked
    )
    prompts = {
        (instructions.digest, instructions.frames) for instructions in asked if instructions.prompt
    }
    unknown = sum(
        not instructions.prompt and not instructions.asks_no_model for instructions in asked
    )
    return {
        "prompts": f"{len(prompts)} and {unknown} unknown",
        "theme": f"told {sum(instructions.is_told for instructions in asked)} of {len(asked)}",
        "asked": hashlib.sha256("\n\n".join(parts).encode()).hexdigest()[:8],
    }
