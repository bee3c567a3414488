"""Options of a run, read from what a form or a command sends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

from inference.errors import InferenceError
from inference.sampling import Sampling

MAX_PROMPT_LENGTH = 8000
# If blank, the model gets no system prompt. Every other blank option keeps its preset.
_MAY_BE_EMPTY = {"system"}


@dataclass(frozen=True)
class Options:
    """The base class: checks the bounds of numbers and the length of texts."""

    BOUNDS: ClassVar[Mapping[str, tuple[float, float]]] = {}
    CHOICES: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    @classmethod
    def parse(cls, typed: Mapping[str, Any]) -> Self:
        options = {item.name: item for item in fields(cls)}
        strange = sorted(set(typed) - set(options))
        if strange:
            raise InferenceError(f"{strange[0]} can't be set here. Settings: {', '.join(options)}.")
        base = cls()
        values = {
            name: _converted(name, getattr(base, name), value)
            for name, value in typed.items()
            if value is not None and (value != "" or name in _MAY_BE_EMPTY)
        }
        made = replace(base, **values)
        for name, (least, most) in cls.BOUNDS.items():
            value = getattr(made, name)
            if not least <= value <= most:
                raise InferenceError(
                    f"{_words(name)} is {value:g}. Keep it between {least:g} and {most:g}."
                )
        for name, choices in cls.CHOICES.items():
            if getattr(made, name) not in choices:
                raise InferenceError(
                    f"{_words(name)} is {getattr(made, name)!r}. Choose from: {', '.join(choices)}."
                )
        return made

    def as_dict(self) -> dict[str, Any]:
        return {item.name: _plain(getattr(self, item.name)) for item in fields(self)}


def _converted(name: str, default: Any, value: Any) -> Any:
    if isinstance(default, Sampling):
        try:
            return value if isinstance(value, Sampling) else Sampling.parse(value)
        except ValueError as error:
            raise InferenceError(f"{_words(name)}: {error}") from error
    if isinstance(default, bool):
        return value in (True, "true", "on", "1", 1)
    if isinstance(default, str):
        text = str(value).replace("\r\n", "\n")  # browsers send \r\n
        if not text.strip() and name == "prompt":
            raise InferenceError("The prompt is empty. Say what the model is to describe.")
        if len(text) > MAX_PROMPT_LENGTH:
            raise InferenceError(
                f"{_words(name)} has {len(text):,} letters. Keep it to {MAX_PROMPT_LENGTH:,}."
            )
        return text
    try:
        number = type(default)(value)
        if isinstance(value, float) and math.isfinite(value) and number != value:
            raise ValueError("not whole")
    except (TypeError, ValueError) as error:
        noun = "a whole number" if isinstance(default, int) else "a number"
        raise InferenceError(f"{_words(name)} is {value!r}. Give {noun}.") from error
    if not math.isfinite(number):
        raise InferenceError(f"{_words(name)} is {value}. Give a finite number.")
    return number


def _plain(value: Any) -> Any:
    return value.as_dict() if isinstance(value, Sampling) else value


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
