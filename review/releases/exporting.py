"""Write a release to disk."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from annotate.models import Project
from review.errors import ReviewError
from review.exchange.folder import write_folder
from review.frozen.models import Release
from review.releases.formats import files_of
from review.releases.versions import parse_version


def find_release(*, project: Project, version: str) -> Release:
    """Return the release of this version. Raises ReviewError, which lists the existing versions."""
    number = str(parse_version(version))
    release = Release.objects.filter(project=project, version=number).first()
    if release is None:
        versions = ", ".join(
            Release.objects.filter(project=project).values_list("version", flat=True)
        )
        raise ReviewError(
            f"{project.name} has no release {number}. "
            + (f"It has: {versions}." if versions else "None has been built yet.")
        )
    return release


def export_release(*, release: Release, format_name: str, target: Path) -> None:
    """Write the release's files under `target` in a format. Raises ReviewError."""
    write_folder(partial(files_of, release, format_name), target)
