"""The formats that releases are offered in, and their files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from review.errors import ReviewError
from review.exchange.files import ExportFile
from review.exchange.folder import write_folder
from review.frozen.models import Release
from review.proof.verifying.release_hash import release_hash
from review.releases.writers.carebench import carebench_files
from review.releases.writers.carebench_content import carebench_content
from review.releases.writers.huggingface import HUGGINGFACE, huggingface_files
from review.releases.writers.lovr import lovr_files
from review.releases.writers.lovr_content import lovr_content
from review.releases.writers.native import NATIVE, native_files
from review.releases.writers.tables import Content
from review.releases.writers.tfcovr import circo_files, tfcovr_files
from review.releases.writers.tfcovr_content import tfcovr_content
from review.releases.writers.webdataset import WEBDATASET, webdataset_files

# The content of a release, by the form in which it was frozen.
CONTENTS: dict[str, Callable[[Release], Content]] = {
    Release.Format.CAREBENCH: carebench_content,
    Release.Format.LOVR: lovr_content,
    Release.Format.TFCOVR: tfcovr_content,
}


@dataclass(frozen=True)
class ReleaseFormat:
    """A form of the files of releases that were frozen in one of the forms `of`.

    `files` lists the files in writing order, each with its size and hash; all come from the rows
    that the release froze, so that the same release always has the same bytes. A file whose bytes
    must be made first is made in the given folder, which the caller keeps until all are written.
    Only admins may read a format `for_admins`.
    """

    name: str
    title: str
    about: str
    files: Callable[[Release, Path], list[ExportFile]]
    of: tuple[str, ...] = tuple(Release.Format.values)
    for_admins: bool = False


def _of_content(
    write: Callable[[Release, Content, Path], list[ExportFile]],
) -> Callable[[Release, Path], list[ExportFile]]:
    """Return how the files of a general format are listed, which has the content of every form."""
    return lambda release, folder: write(release, CONTENTS[release.format](release), folder)


FORMATS = {
    entry.name: entry
    for entry in (
        ReleaseFormat(
            name=Release.Format.CAREBENCH.value,
            title="CaReBench",
            about="The files that CaReBench’s code reads: captions as JSON, and a video per clip.",
            of=(Release.Format.CAREBENCH.value,),
            files=lambda release, folder: carebench_files(release),
        ),
        ReleaseFormat(
            name=Release.Format.LOVR.value,
            title="LoVR",
            about="The files that LoVR’s code reads: captions of clips and of whole videos as JSON "
            "lines, and the videos.",
            of=(Release.Format.LOVR.value,),
            files=lovr_files,
        ),
        ReleaseFormat(
            name=Release.Format.TFCOVR.value,
            title="TF-CoVR",
            about="The files that TF-CoVR’s loaders read: triplets and queries as CSV, a video per "
            "clip, and the clips’ vectors if all have one.",
            of=(Release.Format.TFCOVR.value,),
            files=lambda release, folder: tfcovr_files(release),
        ),
        ReleaseFormat(
            name="circo",
            title="CIRCO",
            about="The validation and test queries in CIRCO’s JSON, with the clip of each number. "
            "Without videos.",
            of=(Release.Format.TFCOVR.value,),
            files=lambda release, folder: circo_files(release),
        ),
        ReleaseFormat(
            name=HUGGINGFACE,
            title="Hugging Face",
            about="Parquet tables, the videos, a dataset card and Croissant metadata, for "
            "datasets.load_dataset.",
            files=_of_content(huggingface_files),
        ),
        ReleaseFormat(
            name=WEBDATASET,
            title="WebDataset",
            about="Tar files of videos and captions, to train from in sequence.",
            files=_of_content(webdataset_files),
        ),
        ReleaseFormat(
            name=NATIVE,
            title="Vericap",
            about="Everything that was frozen, as JSON lines with a schema: also where each "
            "caption is from, what it was made of, its scores, and what people said of it.",
            files=_of_content(native_files),
            for_admins=True,
        ),
    )
}


def formats_of(release: Release) -> list[ReleaseFormat]:
    """Return the formats that a release is offered in, first its own."""
    fitting = [entry for entry in FORMATS.values() if release.format in entry.of]
    return sorted(fitting, key=lambda entry: entry.name != release.format)


def files_of(release: Release, format_name: str, folder: Path) -> list[ExportFile]:
    """Return the files of a release in a format, in writing order. Keep `folder` until they are
    written, because some are made there. Raises ReviewError.
    """
    if format_name not in FORMATS:
        raise ReviewError(
            f"The format {format_name!r} doesn't exist. Choose one of: {', '.join(FORMATS)}."
        )
    offered = [entry.name for entry in formats_of(release)]
    if format_name not in offered:
        raise ReviewError(
            f"Release {release.version} can't be written in the format {format_name}. "
            f"Choose {' or '.join(offered)}."
        )
    return FORMATS[format_name].files(release, folder)


def export_release(*, release: Release, format_name: str, target: Path) -> str:
    """Write the release's files under `target` in a format; return its release hash. Raises
    ReviewError."""
    files = write_folder(partial(files_of, release, format_name), target)
    return release_hash((file.path, file.sha256) for file in files)
