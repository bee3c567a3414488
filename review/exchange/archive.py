"""A release as one ZIP, made piece by piece: bounded memory, the same bytes every time."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

from zipstream import ng

from review.exchange.files import ExportFile


class _TimelessInfo(ng.ZipStreamInfo):  # type: ignore[misc]  # zipstream has no types
    def __init__(self, filename: str, date_time: Any = None) -> None:
        super().__init__(filename, (1980, 1, 1, 0, 0, 0))


# The library stamps streamed files with the current time and has no option for another one.
ng.ZipStreamInfo = _TimelessInfo


class Archive:
    """A ZIP; iterate over it once for the bytes. `size` is their number.

    The iteration raises ReviewError for a file that differs from what was frozen.
    """

    def __init__(self, folder: str, files: Iterable[ExportFile]) -> None:
        # Stored, not compressed: video doesn't shrink, and the size is known beforehand.
        self._stream = ng.ZipStream(sized=True)
        for file in files:
            self._stream.add(file.checked(), f"{folder}/{file.path}", size=file.size)

    @property
    def size(self) -> int:
        return len(self._stream)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._stream)


def compressed(folder: str, files: Iterable[tuple[str, Iterator[bytes]]]) -> Iterator[bytes]:
    """Yield the bytes of a ZIP of (path, content); the sizes needn't be known."""
    stream = ng.ZipStream(compress_type=zipfile.ZIP_DEFLATED)
    for path, chunks in files:
        stream.add(chunks, f"{folder}/{path}")
    yield from stream
