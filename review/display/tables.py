"""Write tables and numbers as CSV and JSON files (LaTeX: latex.py)."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from annotate.text.spreadsheets import guarded


class _Echo:
    """A file whose `write` returns its argument."""

    def write(self, line: str) -> str:
        return line


def csv_lines(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    line_end: str = "\n",
    is_guarded: bool = True,
) -> Iterator[str]:
    """Yield the head and then each row. None is an empty cell, a moment is in ISO 8601, and a list
    is joined by spaces. Texts are guarded against spreadsheets that run formulas, unless a format
    requires exact texts."""
    writer = csv.writer(_Echo(), lineterminator=line_end)
    for row in chain([columns], rows):
        cells = [_cell(cell) for cell in row]
        if is_guarded:
            cells = [guarded(cell) if isinstance(cell, str) else cell for cell in cells]
        # The writer returns the result of its file's `write`.
        yield str(writer.writerow(cells))


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return "".join(csv_lines(columns, rows))


def json_text(value: Any, sort_keys: bool = False) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=sort_keys) + "\n"


def json_lines(rows: Iterable[Any]) -> Iterator[str]:
    """Yield a JSON array, one row per line, without keeping all of it in memory."""
    yield "["
    for place, row in enumerate(rows):
        yield (",\n" if place else "\n") + json.dumps(row, ensure_ascii=False)
    yield "\n]\n"


def yes(value: bool) -> str:
    return "yes" if value else "no"


def _cell(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    return "" if value is None else value
