"""The formats of a release. Each lists its files."""

from collections.abc import Callable

from review.errors import ReviewError
from review.exchange.files import ExportFile
from review.frozen.models import Release
from review.releases.carebench import carebench_files
from review.releases.lovr import lovr_files

FORMATS: dict[str, Callable[[Release], list[ExportFile]]] = {
    "carebench": carebench_files,
    "lovr": lovr_files,
}


def formats_of(release: Release) -> list[str]:
    """The formats that a release is offered in: what it froze fits one of them."""
    return [release.format]


def files_of(release: Release, format_name: str) -> list[ExportFile]:
    """Return the files of a release in a format, in writing order. Raises ReviewError."""
    if format_name not in FORMATS:
        raise ReviewError(
            f"The format {format_name!r} doesn't exist. Choose one of: {', '.join(FORMATS)}."
        )
    if format_name not in formats_of(release):
        raise ReviewError(
            f"Release {release.version} is in the format {release.format}, not {format_name}. "
            f"Choose {release.format}."
        )
    return FORMATS[format_name](release)
