"""A manifest's statements about itself, and about files without a listed hash, such as
README.md.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

ABOUT = "about"
OWN_HASH = "manifest_sha256"
# Placeholder while the hash is computed.
NO_HASH = "0" * 64
_HASH = re.compile(r"[0-9a-f]{64}")


def hashes_about(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return the SHA-256 of the files about the release by name; none in one written before."""
    listed = manifest.get(ABOUT)
    if not isinstance(listed, dict):
        return {}
    return {name: str(sha256) for name, sha256 in listed.items()}


def own_problem(manifest: Mapping[str, Any], content: bytes) -> str | None:
    """Return the problem with the manifest's own hash, if any; `content` are its bytes. Older
    manifests have neither this hash nor those of the files about the release."""
    own = manifest.get(OWN_HASH)
    if own is None and ABOUT not in manifest:
        return None
    if not isinstance(own, str) or not _HASH.fullmatch(own) or ABOUT not in manifest:
        return f"The content has changed: {OWN_HASH} or {ABOUT} is missing."
    before, _, behind = content.rpartition(own.encode())
    made = hashlib.sha256(before + NO_HASH.encode() + behind).hexdigest()
    return (
        None if made == own else f"The content has changed: expected SHA-256 {own}, found {made}."
    )
