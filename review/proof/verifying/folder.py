"""Read the files of an untrusted folder, only regular files inside it, and name its problems."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from review.reports.plain import Vectors

CHUNK = 1024 * 1024
MAX_JSON = 256 * 1024 * 1024
MAX_LINE_LENGTH = 16 * 1024 * 1024


@dataclass(frozen=True)
class Problem:
    """`where`: a file, or a file and a key in it, after #."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{printable(self.where)}: {printable(self.message)}"


class Unreadable(Exception):
    """A file can't be read in its format; the message says why."""


def printable(text: str) -> str:
    """Return text from a folder without what would control a terminal."""
    return "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)


class Folder:
    """The folder of a release. Every method raises Unreadable for a path that leads out of it, and
    for a missing file, a link or a special file."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, name: str) -> Path:
        parts = PurePosixPath(name).parts
        is_plain = name == "/".join(parts) and not {".", ".."} & set(parts)
        if not parts or not is_plain or name.startswith("/") or "\\" in name or "\0" in name:
            raise Unreadable("The path leads out of the folder or isn't written plainly.")
        path = self.root
        for part in parts:
            path = path / part
            try:
                mode = path.lstat().st_mode
            except FileNotFoundError:
                raise Unreadable("The file is missing.") from None
            except OSError as error:
                raise Unreadable(error.strerror or "The path can't be read.") from error
            if stat.S_ISLNK(mode):
                raise Unreadable("This is a link; a release has none.")
        if not stat.S_ISREG(mode):
            raise Unreadable("This is not a file.")
        return path

    def has(self, name: str) -> bool:
        return os.path.lexists(self.root / name)

    def measure(self, name: str) -> tuple[str, int]:
        """Return (SHA-256, size), read piece by piece."""
        digest, size = hashlib.sha256(), 0
        try:
            with self.path(name).open("rb") as file:
                while chunk := file.read(CHUNK):
                    digest.update(chunk)
                    size += len(chunk)
        except OSError as error:
            raise Unreadable(error.strerror or "The file can't be read.") from error
        return digest.hexdigest(), size

    def json(self, name: str) -> Any:
        path = self.path(name)
        if path.stat().st_size > MAX_JSON:
            raise Unreadable(f"The file is larger than {MAX_JSON // 1024**2} MB.")
        return _parse(path.read_bytes())

    def lines(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the objects of a file of JSON lines."""
        with self.path(name).open("rb") as file:
            number = 0
            while line := file.readline(MAX_LINE_LENGTH + 1):
                number += 1
                if len(line) > MAX_LINE_LENGTH:
                    raise Unreadable(f"Line {number} is longer than {MAX_LINE_LENGTH:,} bytes.")
                row = _parse(line, f"Line {number}: ")
                if not isinstance(row, dict):
                    raise Unreadable(f"Line {number} is not a JSON object.")
                yield row

    def text_lines(self, name: str) -> Iterator[str]:
        """Yield the lines of a text with their ends."""
        with self.path(name).open("rb") as file:
            while line := file.readline(MAX_LINE_LENGTH + 1):
                if len(line) > MAX_LINE_LENGTH:
                    raise Unreadable(f"A line is longer than {MAX_LINE_LENGTH:,} bytes.")
                try:
                    yield line.decode()
                except UnicodeDecodeError as error:
                    raise Unreadable("The file isn't UTF-8 text.") from error

    def vectors(self, name: str) -> Vectors:
        """Return an array of (n, dimension) numbers in single precision."""
        path = self.path(name)
        try:
            # Mapped, so that a false header fails because the file is too short.
            rows = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError, OverflowError, SyntaxError) as error:
            raise Unreadable(f"This isn't a file of vectors: {error}") from error
        if not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.dtype != np.float32:
            raise Unreadable("The array isn't one of float32 vectors, a row each.")
        return rows

    def names(self) -> Iterator[tuple[str, bool]]:
        """Yield the path of every file, sorted, and whether it is a regular file."""
        entries = []
        for folder, folders, files in os.walk(self.root):
            for name in (*folders, *files):
                path = Path(folder, name)
                mode = path.lstat().st_mode
                if not stat.S_ISDIR(mode):
                    relative = path.relative_to(self.root).as_posix()
                    entries.append((relative, stat.S_ISREG(mode)))
        yield from sorted(entries)


def _parse(data: bytes, prefix: str = "") -> Any:
    try:
        return _DECODER.decode(data.decode())
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{prefix}This is not JSON: {error}") from error


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


# `json.loads` with the same option makes one for each line.
_DECODER = json.JSONDecoder(parse_constant=_refuse)
