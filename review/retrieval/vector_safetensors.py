"""Read safetensors files: the length of the header, the header as JSON, and the numbers.

The format is simple, so that it is read here without the library of the model workers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO, Any, BinaryIO

import numpy as np

from review.errors import ReviewError
from review.retrieval.vector_arrays import (
    CAPTION_VECTORS,
    MAX_BYTES,
    MAX_ID_BYTES,
    SPACE,
    Ids,
    Layout,
    VectorArray,
    VectorFile,
    check_names,
    checked_array,
    vector_file,
)

DAMAGED = "The file is not in the safetensors format, or it is damaged. Save it again."
METADATA = "__metadata__"
_DTYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}


def open_safetensors(file: BinaryIO, layout: Layout = CAPTION_VECTORS) -> VectorFile:
    """Open a file. Its metadata has the ids: by array name, a JSON list of texts or numbers."""
    size = file.seek(0, 2)
    if size > MAX_BYTES:
        raise ReviewError(
            f"The file is larger than {MAX_BYTES // 2**30} GB. Save the vectors as F16, or "
            "import fewer clips."
        )
    header, start = _header(file, size)
    metadata = header.pop(METADATA, None) or {}
    if not isinstance(metadata, dict):
        raise ReviewError(DAMAGED)
    # The writer can add its name there, and our own files name their space.
    metadata.pop("format", None)
    metadata.pop(SPACE, None)
    check_names("metadata", metadata, layout.vectors_of)
    check_names("a tensor", header, layout.vectors_of.values())
    ids = {name: _ids(name, text) for name, text in metadata.items()}
    vectors = {name: _array(file, name, entry, start, size) for name, entry in header.items()}
    return vector_file(ids, vectors, layout)


def _header(file: BinaryIO, size: int) -> tuple[dict[str, Any], int]:
    """Return the header and the offset of the numbers."""
    file.seek(0)
    length = int.from_bytes(file.read(8), "little")
    if size < 8 or length > min(MAX_ID_BYTES, size - 8):
        raise ReviewError(DAMAGED)
    try:
        header = json.loads(file.read(length), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise ReviewError(DAMAGED) from error
    if not isinstance(header, dict):
        raise ReviewError(DAMAGED)
    return header, 8 + length


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name occurs twice")
    return made


def _ids(name: str, text: Any) -> Ids:
    try:
        values = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ReviewError(
            f"The metadata {name!r} isn't JSON. Write a list of ids with json.dumps."
        ) from error
    if isinstance(values, list):
        for kind in (str, int):
            if all(type(value) is kind for value in values):
                return values
    raise ReviewError(f"The metadata {name!r} is not a list of names or of caption numbers.")


def _array(file: BinaryIO, name: str, entry: Any, start: int, size: int) -> VectorArray:
    try:
        dtype, shape = str(entry["dtype"]), [_whole(length) for length in entry["shape"]]
        first, last = (_whole(at) for at in entry["data_offsets"])
    except (KeyError, TypeError, ValueError) as error:
        raise ReviewError(DAMAGED) from error
    if dtype not in _DTYPES:
        raise ReviewError(f"{name} has the type {dtype[:20]}. Save it as F16, F32 or F64.")
    if not first <= last <= size - start:
        raise ReviewError(f"{name} is incomplete: the file is cut off. Save it again.")
    opened = partial(_opened, file, start + first)
    return checked_array(name, shape, np.dtype(_DTYPES[dtype]), last - first, opened)


def _whole(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise ValueError("no whole number")
    return number


@contextmanager
def _opened(file: BinaryIO, at: int) -> Iterator[IO[bytes]]:
    file.seek(at)
    yield file
