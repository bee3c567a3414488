"""Files of releases from which something is taken down."""

from __future__ import annotations

import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from review.frozen.models import Release
from review.frozen.takedowns import Takedown
from review.releases.formats import files_of, formats_of
from review.takedowns.services import take_down


def fresh(release: Release) -> Release:
    """Return the release as another process reads it."""
    return Release.objects.get(pk=release.pk)


def written(release: Release, format_name: str) -> dict[str, bytes]:
    """Return the files of the release in a format as they are offered now."""
    with TemporaryDirectory() as folder:
        files = files_of(fresh(release), format_name, Path(folder))
        return {file.path: b"".join(file.checked()) for file in files}


def in_every_format(release: Release) -> dict[str, dict[str, bytes]]:
    return {entry.name: written(release, entry.name) for entry in formats_of(release)}


def tombstones(files: dict[str, bytes]) -> dict[str, Any]:
    return json.loads(files["TOMBSTONES"])


def json_lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in io.BytesIO(content)]


def take(item: Any, what: str, reason: str = "consent", **fields: Any) -> Takedown:
    return take_down(
        project=item.project, what=what, key=item.pk, reason=reason, admin=None, **fields
    )
