"""The release hashes: one of each format, and one over them, for each state of what was taken
down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from review.errors import ReviewError
from review.frozen.models import Release
from review.proof.verifying.release_hash import release_hash
from review.releases.formats import files_of, formats_of
from review.releases.models import ReleaseHash

ALL_FORMATS = "all formats"


@dataclass(frozen=True)
class KnownHash:
    """A hash of one format, or over all."""

    format: str
    sha256: str
    computed_at: datetime


@dataclass(frozen=True)
class ReleaseHashes:
    """`by_format`: of what is offered now; "" for a format in which the release can't be written.
    `formats`: all in which it is offered. `earlier`: of copies before a takedown, or of another
    version of Vericap."""

    by_format: Mapping[str, str]
    formats: Sequence[str]
    earlier: Sequence[KnownHash]

    @cached_property
    def of_release(self) -> str:
        """Return the hash over those of all formats; "" until each is known."""
        return _over(self.by_format, self.formats)

    @property
    def listed(self) -> list[tuple[str, str]]:
        """Return (format, hash) of each format that has one."""
        return [(name, self.by_format[name]) for name in self.formats if self.by_format.get(name)]


def hashes_of(release: Release) -> ReleaseHashes:
    """Return the hashes of a release, in one statement beside that of what was taken down."""
    formats = [entry.name for entry in formats_of(release)]
    by_state: dict[str, dict[str, ReleaseHash]] = {}
    earlier: list[KnownHash] = []
    for row in ReleaseHash.objects.filter(release=release).order_by("pk"):
        of_state = by_state.setdefault(row.withdrawn, {})
        if replaced := of_state.get(row.format):
            earlier.append(_known(replaced))
        of_state[row.format] = row
    current = by_state.pop(release.withdrawn.fingerprint, {})
    for rows in by_state.values():
        sums = {name: row.sha256 for name, row in rows.items()}
        if whole := _over(sums, formats):
            newest = max(row.created_at for row in rows.values())
            earlier.append(KnownHash(ALL_FORMATS, whole, newest))
        earlier += map(_known, rows.values())
    return ReleaseHashes(
        {name: row.sha256 for name, row in current.items()},
        formats,
        [entry for entry in earlier if entry.sha256],
    )


def hash_format(release: Release, format_name: str, folder: Path) -> str:
    """Return the release hash of a format; "" if the release can't be written in it. Files that
    must be made are made in `folder`."""
    try:
        files = files_of(release, format_name, folder)
    except ReviewError:
        return ""
    return release_hash((file.path, file.sha256) for file in files)


def store_hashes(release: Release, hashes: Mapping[str, str]) -> None:
    """Add the hashes, by format, of what is offered now, unless they are stored."""
    stored = hashes_of(release).by_format
    ReleaseHash.objects.bulk_create(
        ReleaseHash(
            release=release,
            format=name,
            sha256=sha256,
            withdrawn=release.withdrawn.fingerprint,
        )
        for name, sha256 in hashes.items()
        if stored.get(name) != sha256
    )


def hash_text(release: Release, archive_name: str, archive_sha256: str) -> str:
    """Return the file beside a ZIP: its SHA-256 as `sha256sum --check` reads it, and the release
    hashes as comments."""
    hashes = hashes_of(release)
    whole = hashes.of_release or "not known yet"
    lines = [f"# Release hash of {release}, all formats: {whole}"]
    lines += [f"# Release hash of the format {name}: {sha256}" for name, sha256 in hashes.listed]
    lines += [
        f"# Earlier, {entry.computed_at:%Y-%m-%d}, {entry.format}: {entry.sha256}"
        for entry in hashes.earlier
    ]
    return "\n".join([*lines, f"{archive_sha256}  {archive_name}", ""])


def _over(by_format: Mapping[str, str], formats: Sequence[str]) -> str:
    if not set(formats) <= by_format.keys():
        return ""
    return release_hash((name, sha256) for name, sha256 in by_format.items() if sha256)


def _known(row: ReleaseHash) -> KnownHash:
    return KnownHash(row.format, row.sha256, row.created_at)
