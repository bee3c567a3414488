"""Elements as typed, one per line, and warnings about lines worth a second look. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotate.text.content import Token, content_words, tokens
from annotate.text.lexicon import ADJECTIVES, COLORS, MATERIALS, PATTERNS, SHADES
from inference.backends.protocols import ElementKind

_ATTRIBUTES = COLORS.keys() | MATERIALS | PATTERNS | ADJECTIVES
_JOINS = frozenset({"and", "with", "wearing", "while", "then"})


class LineWarning(NamedTuple):
    """`line` is counted from 1 among the lines that are not empty."""

    line: int
    message: str


def lines_of(typed: str) -> list[str]:
    """Return the elements, without empty lines and surrounding space."""
    lines = (" ".join(line.split()) for line in typed.splitlines())
    return [line for line in lines if line]


def typed_form(elements: Sequence[str]) -> str:
    return "\n".join(elements)


def list_field(kind: ElementKind) -> str:
    """Return the field with the key of the list that the lines started from."""
    return f"{kind}_list"


def problem_with(kind: ElementKind, typed: str) -> str:
    """Return why the lines can't be stored; "" if they can."""
    lines = lines_of(typed)
    if len(lines) > MAX_ELEMENTS:
        return f"There are {len(lines)} {kind}; list at most {MAX_ELEMENTS}."
    first: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_ELEMENT_LENGTH:
            return f"Line {number} has {len(line)} characters; shorten it to {MAX_ELEMENT_LENGTH}."
        before = first.setdefault(line.casefold(), number)
        if before != number:
            return f"Line {number} repeats line {before}. Remove one of them."
    return ""


def warnings_about(kind: ElementKind, typed: str) -> list[LineWarning]:
    """Return lines that may repeat each other or contain two elements. They don't prevent
    storing.
    """
    lines = lines_of(typed)
    warnings: list[LineWarning] = []
    first: dict[frozenset[str], int] = {}
    for number, line in enumerate(lines, 1):
        words = frozenset(token.stem for token in content_words(line))
        before = first.setdefault(words, number) if words else number
        if before != number:
            warnings.append(LineWarning(number, f"Same words as line {before}. Is it the same?"))
        elif several := _several(kind, line):
            warnings.append(LineWarning(number, several))
    return warnings


def _several(kind: ElementKind, line: str) -> str:
    words = tokens(line)
    if kind == "events":
        joined = [token.word for token in words if token.word in _JOINS - {"with", "wearing"}]
        return f"Two events? It has “{joined[0]}”." if joined else ""
    attributes = [
        token.word
        for place, token in enumerate(words)
        if token.word in _ATTRIBUTES
        # "dark red" is one color.
        and not (token.word in SHADES and _is_color(words[place + 1 : place + 2]))
    ]
    joins = [token.word for token in words if token.word in _JOINS]
    if len(attributes) + len(joins) > 1:
        quoted = ", ".join(f"“{word}”" for word in [*attributes, *joins])
        return f"Two attributes? It has {quoted}."
    return "Two objects? It has “and”." if joins == ["and"] else ""


def _is_color(words: Sequence[Token]) -> bool:
    return bool(words) and words[0].word in COLORS


MAX_ELEMENT_LENGTH = 300


MAX_ELEMENTS = 200


KINDS: tuple[ElementKind, ...] = ("events", "objects")
