"""Conflicts between write-ups, and which of them the expert has checked.

A draft stores a tick as `looked-<digest>`. The digest depends on the conflict's words, so the tick
moves with the row and disappears when an author changes the sentence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from annotate.text.conflicts import Conflict, find_conflicts
from annotate.text.merging import Row, Rows


@dataclass(frozen=True, slots=True)
class LookedConflict:
    """A conflict, the name of its tick, and whether it is ticked."""

    conflict: Conflict
    name: str
    is_looked_at: bool


def row_conflicts(part: str, row: Row, content: Mapping[str, str]) -> list[LookedConflict]:
    conflicts = []
    for conflict in find_conflicts(row["a_text"], row["b_text"]):
        words = "\n".join([part, conflict.kind, row["a_text"], row["b_text"], conflict.message])
        name = f"looked-{hashlib.sha256(words.encode()).hexdigest()[:16]}"
        conflicts.append(LookedConflict(conflict, name, bool(content.get(name))))
    return conflicts


def conflict_checks(rows: Rows, content: Mapping[str, str]) -> list[dict[str, str | bool]]:
    """Return all conflicts of a merge in the form stored with its caption."""
    return [
        {
            "kind": conflict.conflict.kind,
            "message": conflict.conflict.message,
            "looked": conflict.is_looked_at,
        }
        for part, part_rows in rows.items()
        for row in part_rows
        for conflict in row_conflicts(part, row, content)
    ]
