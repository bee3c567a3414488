"""How a release leaves the house. Each format names the files it consists of."""

from collections.abc import Callable

from review.errors import ReviewError
from review.exchange.files import ExportFile
from review.frozen.models import Release
from review.releases.carebench import carebench_files

FORMATS: dict[str, Callable[[Release], list[ExportFile]]] = {"carebench": carebench_files}


def files_of(release: Release, format_name: str) -> list[ExportFile]:
    """The files of a release in a format, in the order they are written. Raises ReviewError."""
    if format_name not in FORMATS:
        raise ReviewError(
            f"The format {format_name!r} doesn't exist. Choose one of: {', '.join(FORMATS)}."
        )
    return FORMATS[format_name](release)
