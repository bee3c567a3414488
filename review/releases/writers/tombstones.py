"""A release's statements about items that were taken down after it was built."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from review.exchange.files import ExportFile, json_file
from review.frozen.models import Release
from review.proof.verifying.tombstones import TOMBSTONES, ListedFile, Takedown, Tombstones

ABOUT = (
    "These items were taken out of this release after it was published. content_hash is that of "
    "the full content and stays; this copy of it lacks the files under withdrawn, and those under "
    "changed lack the items."
)


def tombstone_files(
    release: Release, frozen: Iterable[tuple[str, str]] = (), files: Sequence[ExportFile] = ()
) -> list[ExportFile]:
    """Return the file TOMBSTONES, if anything was taken down: what, when and why. `frozen`: path
    and SHA-256 of each file as it was frozen; `files`: those that are offered now."""
    if not release.withdrawn:
        return []
    offered = {file.path: file for file in files}
    listed = dict(frozen)
    stones = Tombstones(
        about=ABOUT,
        content_hash=release.content_hash,
        items=items_of(release),
        withdrawn=[path for path in listed if path not in offered],
        changed=[
            ListedFile(path, offered[path].size, offered[path].sha256)
            for path, sha256 in listed.items()
            if path in offered and offered[path].sha256 != sha256
        ],
    )
    return [json_file(TOMBSTONES, asdict(stones))]


def items_of(release: Release) -> list[Takedown]:
    """Return the entries of TOMBSTONES, one per takedown, oldest first."""
    return [
        Takedown(
            id=stone.takedown.pk,
            what=stone.takedown.what,
            items=list(stone.items),
            withdrawn_at=stone.takedown.created_at.isoformat(timespec="seconds"),
            reason=stone.takedown.reason,
        )
        for stone in release.withdrawn.tombstones
    ]


def tombstone_entry(files: Sequence[ExportFile]) -> dict[str, Any]:
    """Return a manifest's entry about TOMBSTONES, its hash, if the file exists."""
    if not files:
        return {}
    [file] = files
    return {"tombstones": {"path": file.path, "size": file.size, "sha256": file.sha256}}


def tombstone_lines(release: Release, *, is_own: bool) -> str:
    """Return the README's paragraph about what was taken down. `is_own`: in the format whose
    SHA256SUMS is the content hash."""
    number = len(release.withdrawn.tombstones)
    if not number:
        return ""
    what = (
        "SHA256SUMS and the content hash are those of the full content, so `sha256sum --check` "
        "names the files\nthat are missing or lack an item; `python verify.pyz` knows them by "
        "`TOMBSTONES` and checks all others."
        if is_own
        else "The content hash is that of the full content; SHA256SUMS has the files of this copy."
    )
    return (
        f"\n**Withdrawn.** {number} takedown{'' if number == 1 else 's'} after this release was "
        f"published: `{TOMBSTONES}` says what this copy\nlacks, since when, and why. {what}\n"
    )


def clips_left(release: Release) -> int:
    """Return how many clips the release still offers."""
    return release.clip_count - release.withdrawn.clip_count
