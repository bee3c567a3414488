"""The fields of a draft: what the API describes and checks. Pages send the same fields."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.queue.content import Content
from annotate.text.parts import Problem

MAX_PROBLEMS = 20
NUMBER = "[0-9]{1,18}"
PLACES = {"<n>": NUMBER, "<clip>": NUMBER, "<digest>": "[0-9a-f]{16}"}
TIMES = "The times of its sentences, as JSON: a list of {at, start, end, text}."


@dataclass(frozen=True)
class DraftField:
    """A field, or with a place such as `<n>` in its name, one for each number. `values` are the
    allowed ones, or `pattern` matches them; without both it is any text. Empty is undecided."""

    name: str
    about: str
    values: Collection[str] = ()
    pattern: str = ""

    @property
    def name_pattern(self) -> str:
        name = self.name
        for place, pattern in PLACES.items():
            name = name.replace(place, pattern)
        return f"^{name}$"

    def allows(self, value: str) -> bool:
        if not value or not (self.values or self.pattern):
            return True
        return value in self.values or bool(self.pattern and re.fullmatch(self.pattern, value))

    def schema(self) -> dict[str, Any]:
        described: dict[str, Any] = {"type": "string", "description": self.about}
        if self.values:
            described["enum"] = ["", *self.values]
        elif self.pattern:
            described["pattern"] = f"^({self.pattern})?$"
        return described


def key_of(name: str, about: str) -> DraftField:
    return DraftField(name, about, pattern=NUMBER)


def content_schema(fields: Sequence[DraftField]) -> dict[str, Any]:
    """Return the JSON Schema of a draft with these fields."""
    plain = [field for field in fields if "<" not in field.name]
    numbered = [field for field in fields if "<" in field.name]
    return {
        "type": "object",
        "properties": {field.name: field.schema() for field in plain},
        "patternProperties": {field.name_pattern: field.schema() for field in numbered},
        "additionalProperties": False,
    }


def problems_in(fields: Sequence[DraftField], content: Content) -> list[Problem]:
    """Return the names that aren't fields, and the values that a field doesn't allow; at most
    MAX_PROBLEMS."""
    patterns = [(re.compile(field.name_pattern), field) for field in fields]
    problems = []
    for name, value in content.items():
        field = next((field for pattern, field in patterns if pattern.match(name)), None)
        if field is None:
            allowed = ", ".join(each.name for each in fields)
            problems.append(Problem(name, f"Unknown field. Choose from: {allowed}."))
        elif not field.allows(value):
            allowed = ", ".join(field.values) or field.about
            problems.append(Problem(name, f"“{value[:40]}” is not allowed here: {allowed}."))
        if len(problems) == MAX_PROBLEMS:
            break
    return problems
