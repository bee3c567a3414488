"""Read the files of an untrusted folder, or of a ZIP of it."""

from __future__ import annotations

import hashlib
import io
import stat
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from annotate.text.file_names import is_system_file
from review.errors import ReviewError

MAX_MEMBERS = 200_000
# Limit of one unpacked file; a whole release has several.
MAX_UNPACKED = 2 * 1024 * 1024 * 1024
MAX_IN_MEMORY = 256 * 1024 * 1024
# Text shrinks to a tenth; a file that shrinks more than this was made to fill a disk or the memory.
MAX_SHRUNK = 200
MAX_LINE_LENGTH = 4 * 1024 * 1024
CHUNK = 1024 * 1024


class Bundle(ABC):
    """The files of one folder, by their path in it, without those that a system puts there."""

    def __init__(self, name: str, names: Iterable[str]) -> None:
        self.name, self.names = name, frozenset(names)

    def __contains__(self, name: str) -> bool:
        return name in self.names

    @abstractmethod
    def open(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Open a file. Raises ReviewError if it is missing or can't be read."""

    def read(self, name: str) -> bytes:
        """Return a small file as a whole."""
        with self.open(name) as file:
            data = file.read(MAX_IN_MEMORY + 1)
        if len(data) > MAX_IN_MEMORY:
            raise ReviewError(f"{name} is larger than {MAX_IN_MEMORY // 2**20} MiB.")
        return data

    def lines(self, name: str) -> Iterator[str]:
        """Yield the lines of a text, with their ends."""
        number = 0
        with self.open(name) as file:
            while line := file.readline(MAX_LINE_LENGTH + 1):
                number += 1
                where = f"{name}, line {number}"
                if len(line) > MAX_LINE_LENGTH:
                    raise ReviewError(f"{where}: it is longer than {MAX_LINE_LENGTH // 2**20} MiB.")
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    raise ReviewError(f"{where}: save the file as UTF-8.") from None
                if "\0" in text:
                    raise ReviewError(f"{where}: it contains NUL characters. Save it as text.")
                yield text

    def digest(self, names: Iterable[str]) -> str:
        """Return one hash of these files and their names."""
        whole = hashlib.sha256()
        for name in sorted(names):
            with self.open(name) as file:
                digest = hashlib.sha256()
                while chunk := file.read(CHUNK):
                    digest.update(chunk)
            whole.update(f"{digest.hexdigest()}  {name}\n".encode())
        return whole.hexdigest()


class Folder(Bundle):
    def __init__(self, path: Path) -> None:
        self.path = path
        files = (file for file in path.rglob("*") if file.is_file() and not file.is_symlink())
        names = (file.relative_to(path).as_posix() for file in files)
        super().__init__(path.name, (name for name in names if not is_system_file(name)))

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        if name not in self.names:
            raise _missing(name, self.path)
        try:
            with (self.path / name).open("rb") as file:
                yield file
        except OSError as error:
            reason = error.strerror or str(error)
            raise ReviewError(f"Can't read {self.path / name}: {reason}.") from error


class Zip(Bundle):
    """`top`: the folder in the ZIP that has all files, if there is one."""

    def __init__(self, name: str, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        members = [
            member
            for member in archive.infolist()
            if not (member.filename.endswith("/") or is_system_file(member.filename))
        ]
        if len(members) > MAX_MEMBERS:
            raise ReviewError(f"{name} has more than {MAX_MEMBERS:,} files.")
        for member in members:
            _refuse_member(name, member)
        tops = {PurePosixPath(member.filename).parts[0] for member in members}
        is_inside = len(tops) == 1 and all("/" in member.filename for member in members)
        self.top = f"{tops.pop()}/" if is_inside else ""
        names = [member.filename.removeprefix(self.top) for member in members]
        if len(set(names)) < len(names):
            raise ReviewError(f"{name} has two files of the same name. Make the ZIP again.")
        super().__init__(name, names)

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        if name not in self.names:
            raise _missing(name, Path(self.name))
        damaged = ReviewError(f"{name} is damaged in the ZIP. Make the ZIP again.")
        try:
            file = self.archive.open(self.top + name)
        except Exception as error:
            # zipfile trusts the sizes and places that the archive states.
            raise damaged from error
        with file:
            try:
                yield io.BufferedReader(file, CHUNK)  # type: ignore[type-var]  # has readinto
            except (zipfile.BadZipFile, EOFError, NotImplementedError, OSError) as error:
                raise damaged from error
            except Exception as error:
                # Each kind of compression has its own error.
                if type(error).__module__ in ("zlib", "lzma", "_lzma"):
                    raise damaged from error
                raise


@contextmanager
def open_bundle(file: Path | BinaryIO, name: str = "") -> Iterator[Bundle]:
    """Open a folder or a ZIP. Raises ReviewError for anything else, and for a ZIP with a path
    outside its folder, a link, or a file that would fill the disk."""
    if isinstance(file, Path) and file.is_dir():
        yield Folder(file)
        return
    name = name or (file.name if isinstance(file, Path) else "The file")
    try:
        archive = zipfile.ZipFile(file)
    except OSError as error:
        raise ReviewError(f"{file} can’t be read: {error.strerror}.") from error
    except Exception:
        # zipfile trusts the sizes and places that the archive states.
        raise ReviewError(
            f"{name} isn’t a ZIP. Choose the ZIP of the release, or its folder on the server."
        ) from None
    with archive:
        yield Zip(name, archive)


def _refuse_member(archive: str, member: zipfile.ZipInfo) -> None:
    path_text = "".join(c if c.isprintable() else "\ufffd" for c in member.filename[:100])
    path = PurePosixPath(member.filename)
    if (
        not path.parts
        or path.is_absolute()
        or ".." in path.parts
        or "\\" in member.filename
        or "\0" in member.orig_filename
        or ":" in path.parts[0]
    ):
        raise ReviewError(f"{archive}: the path {path_text!r} leads out of the ZIP. Make it again.")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise ReviewError(f"{archive}: {path_text!r} is a link. Put the file itself into the ZIP.")
    if member.flag_bits & 0x1:
        raise ReviewError(f"{archive}: {path_text!r} has a password. Make the ZIP without one.")
    if member.filename.endswith(".mp4"):
        return  # It is never unpacked.
    is_bomb = member.file_size > max(MAX_SHRUNK * member.compress_size, CHUNK)
    if member.file_size > MAX_UNPACKED or is_bomb:
        raise ReviewError(
            f"{archive}: {path_text!r} would unpack to {member.file_size:,} bytes. Make the ZIP "
            "again from the folder of the release."
        )


def _missing(name: str, place: Path) -> ReviewError:
    return ReviewError(f"{place / name} is missing.")
