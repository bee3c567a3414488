"""Read the files of numpy.savez and savez_compressed: ZIP archives with one .npy file per array."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from math import prod
from typing import IO, BinaryIO

import numpy as np
from numpy.lib import format as npy

from annotate.text.file_names import is_system_file
from review.errors import ReviewError
from review.retrieval.vector_arrays import (
    CAPTION_VECTORS,
    MAX_BYTES,
    MAX_ID_BYTES,
    MAX_ROWS,
    SPACE,
    Ids,
    Layout,
    VectorArray,
    VectorFile,
    check_names,
    checked_array,
    read_exactly,
    vector_file,
)

NO_ZIP = "The file is not an .npz archive, or it is damaged. Save it again with numpy.savez."
MAX_HEADER_LENGTH = 10_000
# A header follows numpy's magic string, a version, and the length in up to four bytes.
_MAX_HEAD_LENGTH = 12 + MAX_HEADER_LENGTH
# The compressions that numpy writes. zipfile raises other errors for damaged data in other
# compressions.
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# The errors that zipfile raises for an archive that is damaged or cut off, has an unknown version
# (NotImplementedError), is encrypted (RuntimeError), has an undecodable name (ValueError), or has a
# member that begins outside of it (the others).
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    OSError,
)
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def open_npz(file: BinaryIO, layout: Layout = CAPTION_VECTORS) -> VectorFile:
    try:
        archive = zipfile.ZipFile(file)
    except _UNREADABLE as error:
        raise ReviewError(NO_ZIP) from error
    members = _members(archive, layout)
    ids: dict[str, Ids] = {}
    vectors: dict[str, VectorArray] = {}
    for name, member in members.items():
        shape, dtype, at = _header(archive, name, member)
        if name in layout.vectors_of:
            ids[name] = _ids(archive, name, member, shape, dtype, at)
        else:
            opened = partial(_opened, archive, member, at)
            vectors[name] = checked_array(name, shape, dtype, member.file_size - at, opened)
    return vector_file(ids, vectors, layout)


def _members(archive: zipfile.ZipFile, layout: Layout) -> dict[str, zipfile.ZipInfo]:
    members: dict[str, zipfile.ZipInfo] = {}
    for member in archive.infolist():
        if is_system_file(member.filename):
            continue
        name = member.filename.removesuffix(".npy")
        if name in members:
            raise ReviewError(f"The file has {name[:80]!r} twice. Save it again with numpy.savez.")
        members[name] = member
    members.pop(SPACE, None)  # our own files name their space
    check_names("an array", members, layout.names)
    for name, member in members.items():
        if member.compress_type not in COMPRESSIONS:
            raise ReviewError(
                f"{name} is compressed in a way that numpy doesn't write. Save the file with "
                "numpy.savez or numpy.savez_compressed."
            )
    if sum(member.file_size for member in members.values()) > MAX_BYTES:
        raise ReviewError(
            f"The file unpacks to more than {MAX_BYTES // 2**30} GB. Save the vectors as float16, "
            "or import fewer clips."
        )
    return members


def _header(
    archive: zipfile.ZipFile, name: str, member: zipfile.ZipInfo
) -> tuple[tuple[int, ...], np.dtype, int]:
    """Return the shape, the type, and the offset of the data. Nothing is unpickled."""
    try:
        with archive.open(member) as stream:
            # A header can claim to be as long as the whole unpacked file.
            head = BytesIO(stream.read(_MAX_HEAD_LENGTH))
        read = _HEADERS[npy.read_magic(head)]
        shape, is_fortran, dtype = read(head, max_header_size=MAX_HEADER_LENGTH)
    except Exception as error:
        # numpy parses the header as Python, which can fail with many kinds of errors.
        raise ReviewError(f"{name} can't be read: {NO_ZIP}") from error
    if dtype.hasobject:
        raise ReviewError(
            f"{name} contains Python objects, which are not unpickled here. Save ids with "
            "numpy.array(ids, dtype=str) and vectors as float32."
        )
    if is_fortran and len(shape) > 1:
        raise ReviewError(f"{name} is stored by columns. Save it with numpy.ascontiguousarray.")
    return shape, dtype, head.tell()


def _ids(
    archive: zipfile.ZipFile,
    name: str,
    member: zipfile.ZipInfo,
    shape: tuple[int, ...],
    dtype: np.dtype,
    at: int,
) -> Ids:
    if len(shape) != 1 or dtype.kind not in "USiu" or not dtype.itemsize:
        raise ReviewError(
            f"{name} has the shape {shape} and the type {dtype}. Save a one-dimensional array of "
            "names, or of caption numbers."
        )
    if shape[0] > MAX_ROWS:
        raise ReviewError(f"{name} has more than {MAX_ROWS:,} ids. Import fewer clips.")
    size = prod(shape) * dtype.itemsize
    if size > MAX_ID_BYTES or size != member.file_size - at:
        raise ReviewError(f"{name} is too large, or cut off. Save the file again with shorter ids.")
    with _opened(archive, member, at) as stream:
        data = read_exactly(stream, size, name)
    try:
        values = np.frombuffer(data, dtype=dtype).tolist()
        return [value.decode() if isinstance(value, bytes) else value for value in values]
    except (ValueError, SystemError) as error:
        # Invalid UTF-8, or numbers that are not characters.
        raise ReviewError(
            f"{name} contains something other than text. Save ids with numpy.array(ids, dtype=str)."
        ) from error


@contextmanager
def _opened(archive: zipfile.ZipFile, member: zipfile.ZipInfo, at: int) -> Iterator[IO[bytes]]:
    """Open the array's member, positioned after the header. Raises ReviewError whenever the archive
    proves damaged.
    """
    try:
        with archive.open(member) as stream:
            stream.read(at)
            yield stream
    except _UNREADABLE as error:
        raise ReviewError(NO_ZIP) from error
