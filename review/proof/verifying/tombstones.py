"""Items withdrawn from a release after it was published, as listed in the file TOMBSTONES."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from review.proof.verifying.folder import Folder, Problem, Unreadable
from review.proof.verifying.parsing import parsed

TOMBSTONES = "TOMBSTONES"
# Files that list items, and so can lack one. A video or a report never changes.
CHANGING = {".csv", ".json", ".jsonl", ".pkl", ".pyz"}
REPORTS = "reports"
VECTORS = ".npy"


@dataclass(frozen=True)
class Takedown:
    """`items`: what was withdrawn, by name."""

    id: int
    what: str
    items: Sequence[str]
    withdrawn_at: str
    reason: str

    def __str__(self) -> str:
        more = f" and {len(self.items) - 5} more" if len(self.items) > 5 else ""
        names = ", ".join(self.items[:5])
        return f"withdrawn on {self.withdrawn_at[:10]} ({self.reason}): {names}{more}."


@dataclass(frozen=True)
class ListedFile:
    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Tombstones:
    """The content of the file. `withdrawn`: paths of removed files. `changed`: files that lack an
    item. `release_hashes`: of the copies in this format from before."""

    about: str
    content_hash: str
    items: Sequence[Takedown]
    withdrawn: Sequence[str]
    changed: Sequence[ListedFile]
    release_hashes: Sequence[str] = ()

    @property
    def names(self) -> frozenset[str]:
        """Return what was withdrawn, by name."""
        return frozenset(name for takedown in self.items for name in takedown.items)


NONE = Tombstones("", "", (), (), ())


def read_tombstones(folder: Folder) -> tuple[Tombstones, list[Problem]]:
    """Return the tombstones of the folder (none without the file), and its problems."""
    if not (folder.root / TOMBSTONES).exists():
        return NONE, []
    try:
        stones = parsed(folder.json(TOMBSTONES), Tombstones)
    except Unreadable as error:
        return NONE, [Problem(TOMBSTONES, str(error))]
    problems = [
        Problem(
            TOMBSTONES, f"{file.path} can't lack an item: a withdrawal never changes such a file."
        )
        for file in stones.changed
        if not _can_change(file.path)
    ]
    problems += [
        Problem(TOMBSTONES, f"{path} can't be missing: a withdrawal takes only arrays of vectors.")
        for path in stones.withdrawn
        if not _can_be_missing(path)
    ]
    if (stones.withdrawn or stones.changed) and not stones.items:
        problems.append(Problem(TOMBSTONES, "It names no item that was withdrawn."))
    allowed = [file for file in stones.changed if _can_change(file.path)]
    missing = list(filter(_can_be_missing, stones.withdrawn))
    return replace(stones, changed=allowed, withdrawn=missing), problems


def _can_change(path: str) -> bool:
    parts = PurePosixPath(path)
    return parts.suffix in CHANGING and parts.parts[:1] != (REPORTS,)


def _can_be_missing(path: str) -> bool:
    """Return whether a withdrawal can take the file: of the reports, only arrays of vectors."""
    parts = PurePosixPath(path)
    return parts.parts[:1] != (REPORTS,) or parts.suffix == VECTORS
