"""The columns of the papers' Tables 1, and their possible values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from annotate.models import Project
from annotate.text.visible import has_hidden_characters

Value = bool | float | str
Cell = tuple[str, bool]
MAX_TEXT_LENGTH = 40
UNKNOWN = "–"
YES, NO = "✓", "✗"
_YES = {"yes", "y", "true", "1", "✓", "✔"}
_NO = {"no", "n", "false", "0", "✗", "✘", "x"}
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*([KM]?)\s*s?", re.IGNORECASE)
_UNITS = {"": 1, "K": 1_000, "M": 1_000_000}
MAX_NUMBER = 10**12


class Kind(Enum):
    NUMBER = auto()
    YES_NO = auto()
    TEXT = auto()


@dataclass(frozen=True)
class Column:
    """`key`: its name in files and forms. `digits`: of a number, after the point."""

    key: str
    name: str
    kind: Kind
    digits: int = 0

    def read(self, text: str) -> Value | None:
        """Return what `text` states; None for an empty text. Raises ValueError, with a sentence
        that says what to write.
        """
        text = " ".join(text.split())
        if not text or text in (UNKNOWN, "-"):
            return None
        if self.kind is Kind.NUMBER:
            return self._number(text)
        if self.kind is Kind.YES_NO:
            if text.casefold() in _YES | _NO:
                return text.casefold() in _YES
            raise ValueError(f"{self.name} is “{text[:40]}”. Write yes or no, or leave it empty.")
        if len(text) > MAX_TEXT_LENGTH or has_hidden_characters(text):
            raise ValueError(f"{self.name} needs at most {MAX_TEXT_LENGTH} visible characters.")
        return text

    def _number(self, text: str) -> float:
        match = _NUMBER.fullmatch(text.replace(",", ""))
        number = float(match[1]) * _UNITS[match[2].upper()] if match else math.nan
        if not 0 <= number <= MAX_NUMBER:
            raise ValueError(
                f"{self.name} is “{text[:40]}”. Write a number such as 1,000 or 14.35, or leave it "
                "empty."
            )
        return number

    def written(self, value: Value | None) -> str:
        """Return the value as a table shows it."""
        if value is None:
            return UNKNOWN
        if isinstance(value, bool):
            return YES if value else NO
        return value if isinstance(value, str) else f"{value:z,.{self.digits}f}"

    def typed(self, value: Value | None) -> str:
        """Return the value as `read` reads it."""
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return value if isinstance(value, str) else f"{value:.6f}".rstrip("0").rstrip(".")


COLUMNS = {
    column.key: column
    for column in (
        Column("samples", "# Samples", Kind.NUMBER),
        Column("seconds", "Mean length (s)", Kind.NUMBER, digits=2),
        Column("words", "Words per caption", Kind.NUMBER, digits=2),
        Column("annotator", "Annotator", Kind.TEXT),
        Column("hierarchical", "Hierarchical", Kind.YES_NO),
        Column("static_focus", "Static focus", Kind.YES_NO),
        Column("dynamic_focus", "Dynamic focus", Kind.YES_NO),
        Column("type", "Type", Kind.TEXT),
        Column("triplets", "# Triplets", Kind.NUMBER),
        Column("train", "Train", Kind.YES_NO),
        Column("eval", "Eval", Kind.YES_NO),
        Column("multi_gt", "Several targets", Kind.YES_NO),
        Column("metric", "Metric", Kind.TEXT),
        Column("sub_actions", "# Sub-actions", Kind.NUMBER),
    )
}


def heads_of(columns: Iterable[Column]) -> list[Cell]:
    """Return the name of each column, and whether it has numbers."""
    return [(column.name, column.kind is Kind.NUMBER) for column in columns]


def cells_of(columns: Iterable[Column], values: Mapping[str, Value | None]) -> list[Cell]:
    """Return the cells of the values: each text, and whether it is a number."""
    return [
        (column.written(values.get(column.key)), column.kind is Kind.NUMBER) for column in columns
    ]


def columns_of(project: Project) -> tuple[Column, ...]:
    return tuple(COLUMNS[key] for key in project.pipeline.columns)
