"""Marks that tell when the categories of what was counted have changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def marks_by_category(rows: Iterable[tuple[str, Any]]) -> list[list[Any]]:
    """Of rows (category, key): each category with how many there are and the sum of their keys,
    sorted. Kept in a result, it tells when any of them has got another category."""
    marks: dict[str, tuple[int, int]] = {}
    for category, key in rows:
        number, total = marks.get(category, (0, 0))
        marks[category] = number + 1, total + key
    return [[category, *mark] for category, mark in sorted(marks.items())]
