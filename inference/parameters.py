"""The parameters of backends: their types and bounds, and checking a value."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from inference.errors import InferenceError


@dataclass(frozen=True)
class Parameter:
    """One setting of a backend; `choices` closes a text, `least` and `most` bound a number.
    `is_json`: a text that holds a JSON object. `is_later`: added after the first release, so that
    recipes leave it out at its default, and earlier results keep their hashes.
    """

    name: str
    kind: type
    default: Any
    help: str
    least: float = -math.inf
    most: float = math.inf
    choices: tuple[str, ...] = ()
    is_json: bool = False
    is_later: bool = False

    def checked(self, value: Any) -> Any:
        """Return the value, or the default of an empty one. Raises InferenceError."""
        if value is None or value == "":
            return self.default
        try:
            converted = self.kind(value)
        except (TypeError, ValueError) as error:
            noun = {int: "a whole number", float: "a number", str: "text"}[self.kind]
            raise InferenceError(f"{self.name} is {value!r}. Set it to {noun}.") from error
        if self.is_json and not _is_json_object(converted):
            raise InferenceError(
                f"{self.name} is {value!r}. Write a JSON object, such as "
                '{"reasoning_effort": "low"}.'
            )
        if self.choices and converted not in self.choices:
            raise InferenceError(
                f"{self.name} is {value!r}. Choose from: {', '.join(self.choices)}."
            )
        if self.kind is not str and not self.least <= converted <= self.most:
            raise InferenceError(
                f"{self.name} is {value}. Keep it between {self.least:g} and {self.most:g}."
            )
        return converted


def _is_json_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
