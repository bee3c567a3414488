"""The files of reports: a table of numbers as CSV, JSON and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from review.display.tables import csv_lines, json_lines, json_text

FILE_TYPES = {"csv": "text/csv", "tex": "application/x-tex", "json": "application/json"}


@dataclass(frozen=True)
class FileTable:
    """What the files of a table have; without a part, it has no such file."""

    # CSV
    columns: Sequence[str] = ()
    rows: Iterable[Sequence[object]] = ()
    # JSON
    content: Callable[[], Any] | None = None
    sort_keys: bool = False
    # LaTeX
    latex: Callable[[], str] | None = None
    # It is sent line by line; its JSON is a list.
    is_long: bool = False

    def text(self, ending: str) -> str | Iterator[str] | None:
        """Return the file with this ending, a key of FILE_TYPES."""
        if ending == "csv" and self.columns:
            lines = csv_lines(self.columns, self.rows)
            return lines if self.is_long else "".join(lines)
        if ending == "json" and self.content:
            content = self.content()
            return json_lines(content) if self.is_long else json_text(content, self.sort_keys)
        return self.latex() if ending == "tex" and self.latex else None


# By the beginning of the names of its files.
Tables = Mapping[str, Callable[[], FileTable]]
