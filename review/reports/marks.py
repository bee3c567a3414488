"""Marks that show when categories have changed since they were counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def marks_by_category(rows: Iterable[tuple[str, Any]]) -> list[list[Any]]:
    """Return, sorted by category, the number of rows (category, key) and the sum of their keys. A
    stored result keeps this, so that a later comparison shows whether a row changed its category.
    """
    marks: dict[str, tuple[int, int]] = {}
    for category, key in rows:
        number, total = marks.get(category, (0, 0))
        marks[category] = number + 1, total + key
    return [[category, *mark] for category, mark in sorted(marks.items())]
