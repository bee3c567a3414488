"""The SHA-256 of a model's weights, which a worker reads when it loads them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from django.db import transaction

from annotate.audit import record_event
from inference.backends.protocols import ModelSettings
from inference.models import ModelSpec

_HUB_FILE = re.compile(r"[0-9a-f]{64}")


def hash_of_weights(files: Sequence[Path]) -> str:
    """Return the SHA-256 of one file, or that of the lines "SHA-256  name" of several, as
    `sha256sum *.safetensors | sha256sum` prints it; empty without a file.
    """
    hashes = {file.name: _hash_of_file(file) for file in sorted(files)}
    if len(hashes) <= 1:
        return next(iter(hashes.values()), "")
    lines = "".join(f"{sha256}  {name}\n" for name, sha256 in hashes.items())
    return hashlib.sha256(lines.encode()).hexdigest()


def _hash_of_file(file: Path) -> str:
    """Return the file's SHA-256. Hugging Face's cache names a file by it."""
    stored = file.resolve()
    if stored.parent.name == "blobs" and _HUB_FILE.fullmatch(stored.name):
        return stored.name
    facts = stored.stat()
    return _read_hash(stored, facts.st_size, facts.st_mtime_ns)


@lru_cache(maxsize=256)
def _read_hash(file: Path, size: int, mtime_ns: int) -> str:
    """Read the file's SHA-256, in this process once for each size and time of change."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


@transaction.atomic
def store_weights_hash(model: ModelSettings, sha256: str) -> None:
    """Store the hash with all models that have these weights. No result depends on it."""
    if not sha256:
        return
    specs = ModelSpec.objects.filter(
        backend=model.backend, model_id=model.model_id, revision=model.revision
    ).exclude(weights_sha256=sha256)
    for spec in specs.select_related("project").select_for_update(of=("self",)):
        before = {"weights_sha256": spec.weights_sha256}
        spec.weights_sha256 = sha256
        spec.save(update_fields=["weights_sha256"])
        record_event(
            actor=None,
            verb="read weights",
            subject=spec,
            project=spec.project,
            before=before,
            after={"weights_sha256": sha256},
        )
