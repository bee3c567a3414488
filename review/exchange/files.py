"""One file of an export, with its size and SHA-256 known before it is read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage

from review.errors import ReviewError

CHUNK = 1024 * 1024


@dataclass(frozen=True)
class ExportFile:
    path: str
    size: int
    sha256: str
    open: Callable[[], Iterator[bytes]]

    def checked(self) -> Iterator[bytes]:
        """Yield the bytes. Raises ReviewError at the end if they differ from the frozen ones."""
        digest, size = hashlib.sha256(), 0
        for chunk in self.open():
            digest.update(chunk)
            size += len(chunk)
            yield chunk
        if (size, digest.hexdigest()) != (self.size, self.sha256):
            raise ReviewError(
                f"{self.path} is not what was frozen: it has {size:,} bytes of {self.size:,} or "
                "other content. Restore the media folder from a backup."
            )


def measured_file(path: str, chunks: Callable[[], Iterator[bytes]]) -> ExportFile:
    """Return the file that these chunks make, which requires making them once."""
    sha256, size = measure(chunks())
    return ExportFile(path, size, sha256, chunks)


def text_file(path: str, text: str) -> ExportFile:
    content = text.encode()
    return measured_file(path, lambda: iter([content]))


def json_file(path: str, value: Any) -> ExportFile:
    return text_file(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def sum_lines(files: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield `SHA256SUMS` of files, given as (path, SHA-256), in the format of `sha256sum
    --check`.
    """
    for path, sha256 in files:
        yield f"{sha256}  {path}\n"


def local_chunks(place: Path) -> Iterator[bytes]:
    """Yield the bytes of a file on this disk."""
    with place.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def stored_chunks(name: str) -> Iterator[bytes]:
    """Yield the bytes of a file in the media storage. Raises ReviewError if it is missing."""
    try:
        with default_storage.open(name) as file:
            yield from file.chunks(CHUNK)
    except FileNotFoundError as error:
        raise ReviewError(
            f"The file {name} is missing from the media folder. Restore it from a backup."
        ) from error


def measure(chunks: Iterable[bytes]) -> tuple[str, int]:
    """Return (SHA-256, size) of the joined chunks."""
    digest, size = hashlib.sha256(), 0
    for chunk in chunks:
        digest.update(chunk)
        size += len(chunk)
    return digest.hexdigest(), size
