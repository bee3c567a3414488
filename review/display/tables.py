"""The writer of tables and numbers that leave as files: CSV that spreadsheets never run, JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from review.display.spreadsheets import guarded


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield the head and then each row. Texts are guarded, None is an empty cell, a moment is in
    ISO 8601 and a list is its parts with spaces between them."""
    for row in chain([columns], rows):
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerow([_cell(cell) for cell in row])
        yield buffer.getvalue()


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return "".join(csv_lines(columns, rows))


def json_text(value: Any, *, sort_keys: bool = False) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=sort_keys) + "\n"


def json_lines(rows: Iterable[Any]) -> Iterator[str]:
    """Yield a JSON array, a row a line, without holding it whole."""
    yield "[\n"
    for place, row in enumerate(rows):
        yield (",\n" if place else "") + json.dumps(row, ensure_ascii=False)
    yield "\n]\n"


def yes(value: bool) -> str:
    return "yes" if value else "no"


def _cell(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return guarded(" ".join(map(str, value)))
    if isinstance(value, str):
        return guarded(value)
    return "" if value is None else value
