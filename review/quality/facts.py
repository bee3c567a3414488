"""Words that a text must or must not have to be right. Pure.

A fact is a line by an admin: `red | crimson` requires one of these words, `not: blue` forbids one,
and `temporal: jumps` or `not temporal: red` is about one field of the text. Words match in every
inflection that `annotate.text.content.stem` recognizes, and phrases word by word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from annotate.text.content import tokens

MAX_FACTS = 40
_HEAD = re.compile(r"(?P<no>not\b)?\s*(?P<field>[a-z]*)\s*:(?P<words>.*)", re.IGNORECASE)


class FactInvalid(ValueError):
    """A line isn't a fact; the message names the line and the fix."""


@dataclass(frozen=True)
class Fact:
    """The field, or the whole text if `field` is empty, must have one of `phrases`, or none of them
    if `is_forbidden`."""

    phrases: tuple[str, ...]
    field: str = ""
    is_forbidden: bool = False

    def __str__(self) -> str:
        words = " or ".join(f"“{phrase}”" for phrase in self.phrases)
        place = f"{self.field.capitalize()} " if self.field else "The text "
        return f"{place}{'must not have' if self.is_forbidden else 'must have'} {words}."

    def is_met(self, texts: Mapping[str, str]) -> bool:
        """Return whether the fields of a text meet it."""
        fields = [texts.get(self.field, "")] if self.field else texts.values()
        in_text = any(_has(text, phrase) for text in fields for phrase in self.phrases)
        return in_text != self.is_forbidden


def read_facts(lines: Sequence[str], fields: Collection[str]) -> list[Fact]:
    """Return the facts of the non-empty lines, for a text with these fields. Raises FactInvalid."""
    facts = [
        _read(line.strip(), number, fields) for number, line in enumerate(lines, 1) if line.strip()
    ]
    if len(facts) > MAX_FACTS:
        raise FactInvalid(f"Give at most {MAX_FACTS} lines (there are {len(facts)}).")
    return facts


def _read(line: str, number: int, fields: Collection[str]) -> Fact:
    field, is_forbidden, words = "", False, line
    if head := _HEAD.fullmatch(line):
        field, is_forbidden, words = head["field"].lower(), bool(head["no"]), head["words"]
        if (field and field not in fields) or not (field or is_forbidden):
            heads = ["not:", *(f"{name}:" for name in fields)]
            raise FactInvalid(f"Line {number}: only {', '.join(heads)} can come before a colon.")
    phrases = tuple(phrase.strip() for phrase in words.split("|"))
    if not all(tokens(phrase) for phrase in phrases):
        raise FactInvalid(f"Line {number}: give words, with | between those that mean the same.")
    return Fact(phrases, field, is_forbidden)


def _has(text: str, phrase: str) -> bool:
    stems = [token.stem for token in tokens(text)]
    phrase_stems = [token.stem for token in tokens(phrase)]
    places = range(len(stems) - len(phrase_stems) + 1)
    return any(stems[place : place + len(phrase_stems)] == phrase_stems for place in places)
