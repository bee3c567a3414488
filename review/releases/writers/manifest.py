"""manifest.json: a description of a release's files, with the SHA-256 of each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from review.exchange.files import ExportFile, text_file
from review.frozen.models import Release
from review.proof.verifying.hashes import ABOUT, NO_HASH, OWN_HASH
from review.releases.content import signature
from review.releases.writers.tombstones import clips_left


def release_facts(release: Release, format_name: str, **counts: int) -> dict[str, Any]:
    """Return the first fields of a manifest in any format; `counts` follow the number of clips."""
    return {
        "format": format_name,
        "project": release.project_name,
        "version": release.version,
        "released_at": release.created_at.isoformat(timespec="seconds"),
        "licence": release.license,
        "notes": release.notes,
        "clip_count": clips_left(release),
        **counts,
        "content_hash": release.content_hash,
        "signature": signature(release),
    }


def manifest_file(facts: Mapping[str, Any], about: Sequence[ExportFile]) -> ExportFile:
    """Return the manifest with the hashes of the files `about` the release, which are in no list of
    hashes, and its own hash, made as if it had NO_HASH in that place."""
    hashes = {file.path: file.sha256 for file in about}
    manifest = {**facts, ABOUT: hashes, OWN_HASH: NO_HASH}
    text = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
    before, _, behind = text.rpartition(NO_HASH)
    own = sha256(text.encode()).hexdigest()
    return text_file("manifest.json", f"{before}{own}{behind}")


def listed(files: Iterable[ExportFile]) -> list[dict[str, Any]]:
    """Return a manifest's entries about files."""
    return [{"path": file.path, "size": file.size, "sha256": file.sha256} for file in files]
