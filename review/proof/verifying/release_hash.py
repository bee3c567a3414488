"""The release hash: one hash over all files of a folder (docs/formats.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

# What tools of the Hugging Face Hub add beside the files of a release.
ADDED_FILE, ADDED_FOLDER = ".gitattributes", ".cache/"


def release_hash(hashes: Iterable[tuple[str, str]]) -> str:
    """Return the hash over (path, SHA-256) of all files of a format, or over (format, hash) of all
    formats of a release."""
    digest = hashlib.sha256()
    for name, sha256 in sorted(hashes):
        digest.update(f"{sha256}  {name}\n".encode())
    return digest.hexdigest()


def is_added(path: str) -> bool:
    """Return whether the release hash leaves out this file."""
    return path == ADDED_FILE or path.startswith(ADDED_FOLDER)
