"""Files whose bytes are made before they are written, in a folder of the caller."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from review.exchange.files import CHUNK, ExportFile, measure

# Characters that are line breaks for some readers of JSON lines, but not for JSON.
LINE_BREAKS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def made_file(folder: Path, path: str, chunks: Iterable[bytes]) -> ExportFile:
    """Write the chunks into the folder, and return them as the file `path` of a release."""
    place = place_of(folder, path)
    with place.open("xb") as file:
        file.writelines(chunks)
    return local_file(place, path)


def place_of(folder: Path, path: str) -> Path:
    """Return where in the folder to make the file `path` of a release."""
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def local_file(place: Path, path: str) -> ExportFile:
    """Return a file on this disk as the file `path` of a release."""
    sha256, size = measure(_chunks(place))
    return ExportFile(path, size, sha256, partial(_chunks, place))


def json_line(row: Mapping[str, object]) -> bytes:
    """Return one line for every reader of JSON lines."""
    line = json.dumps(row, ensure_ascii=False)
    for character, escape in LINE_BREAKS.items():
        line = line.replace(character, escape)
    return line.encode() + b"\n"


def _chunks(place: Path) -> Iterator[bytes]:
    with place.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
