"""Human captions in several files: the folder of a release or its ZIP, or many files of cues."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from annotate.datasets.faults import Faults
from review.captions.predictions import MAX_FAULTS, MAX_ROWS
from review.errors import ReviewError
from review.exchange.bundle import Bundle, open_bundle
from review.published import label_studio

Rows = Iterator[tuple[str, Any]]
ZIP = ".zip"
# The captions of a release in CaReBench's and LoVR's format, and Label Studio's export.
KNOWN = (
    ("json/metadata.json",),
    ("caption_data/all_clip.jsonl", "caption_data/all_video.jsonl"),
    ("result.json",),
    ("result.csv",),
)
CUES = (".vtt", ".srt")


def read_bundled(
    data: bytes, name: str, faults: Faults, read: Callable[[bytes, str, Faults], Rows]
) -> Rows:
    """Yield the rows of each file with captions in a ZIP. Raises ReviewError."""
    with open_bundle(io.BytesIO(data), name) as bundle:
        for member in _with_captions(bundle):
            of_file = Faults(faults.file)
            try:
                for row, values in read(bundle.read(member), member, of_file):
                    _pass_on(of_file, faults, member)
                    yield f"{member}, {row}", values
            except ReviewError as error:
                faults.add(member, "", str(error))
            _pass_on(of_file, faults, member)
            if len(faults.collected) >= MAX_FAULTS:
                return


def read_for_import(path: Path) -> tuple[bytes, str]:
    """Return the content and the name of a file to import: of a folder or a ZIP, a ZIP of the files
    with captions alone. Raises ReviewError and OSError."""
    if not path.is_dir() and path.suffix.lower() != ZIP:
        return path.read_bytes(), path.name
    content = io.BytesIO()
    with open_bundle(path) as bundle, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        for member in _with_captions(bundle):
            # without a time, so that the same files give the same bytes
            packed.writestr(zipfile.ZipInfo(f"captions/{member}"), bundle.read(member))
    return content.getvalue(), path.with_suffix(ZIP).name


def _with_captions(bundle: Bundle) -> list[str]:
    for files in KNOWN:
        if members := [name for name in files if name in bundle]:
            return members
    members = sorted(name for name in bundle.names if PurePosixPath(name).suffix.lower() in CUES)
    if not members and (form := label_studio.form_of_archive(bundle.names)):
        raise ReviewError(label_studio.refusal(form))
    if not members:
        raise ReviewError(
            f"{bundle.name} has no human captions that can be imported: neither "
            "json/metadata.json (CaReBench), nor caption_data/all_clip.jsonl (LoVR), nor files of "
            "WebVTT or SRT. Choose the file with the captions, or import a release in the format "
            "Vericap under Releases."
        )
    if len(members) > MAX_ROWS:
        raise ReviewError(f"{bundle.name} has more than {MAX_ROWS:,} files. Split it.")
    return members


def _pass_on(of_file: Faults, faults: Faults, member: str) -> None:
    """Move a member's faults to those of the whole archive, with the member's name."""
    for fault in of_file.collected:
        faults.add(f"{member}, {fault.row}", fault.field, fault.mend)
    of_file.collected.clear()
