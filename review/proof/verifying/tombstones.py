"""Items withdrawn from a release after it was published, as listed in the file TOMBSTONES."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from review.proof.verifying.folder import Folder, Problem, Unreadable

TOMBSTONES = "TOMBSTONES"
# Files that list items, and so can lack one. A video or a report never changes.
CHANGING = {".csv", ".json", ".jsonl", ".pkl", ".pyz"}
REPORTS = "reports"


@dataclass(frozen=True)
class Tombstones:
    """`items`: what was withdrawn, in words. `withdrawn`: paths of removed files. `changed`: the
    SHA-256 of files that lack an item, by path."""

    items: Sequence[str] = ()
    withdrawn: frozenset[str] = frozenset()
    changed: Mapping[str, str] = field(default_factory=dict)


def read_tombstones(folder: Folder) -> tuple[Tombstones, list[Problem]]:
    """Return the tombstones of the folder (none without the file), and its problems."""
    try:
        if not (folder.root / TOMBSTONES).exists():
            return Tombstones(), []
        stored = folder.json(TOMBSTONES)
        items = [_in_words(item) for item in stored["items"]]
        withdrawn = [str(path) for path in stored["withdrawn"]]
        changed = {str(entry["path"]): str(entry["sha256"]) for entry in stored["changed"]}
    except Unreadable as error:
        return Tombstones(), [Problem(TOMBSTONES, str(error))]
    except (KeyError, TypeError):
        return Tombstones(), [Problem(TOMBSTONES, "This isn't a list of what was withdrawn.")]
    problems = [
        Problem(TOMBSTONES, f"{path} can't lack an item: a withdrawal never changes such a file.")
        for path in changed
        if not _can_change(path)
    ]
    if (withdrawn or changed) and not items:
        problems.append(Problem(TOMBSTONES, "It names no item that was withdrawn."))
    allowed = {path: sha256 for path, sha256 in changed.items() if _can_change(path)}
    return Tombstones(items, frozenset(withdrawn), allowed), problems


def _can_change(path: str) -> bool:
    parts = PurePosixPath(path)
    return parts.suffix in CHANGING and parts.parts[:1] != (REPORTS,)


def _in_words(item: dict[str, Any]) -> str:
    names = [str(name) for name in item["items"]]
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return (
        f"withdrawn on {str(item['withdrawn_at'])[:10]} ({item['reason']}): "
        f"{', '.join(names[:5])}{more}."
    )
