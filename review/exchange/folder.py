"""A release as files in a folder that appears whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from review.errors import ReviewError
from review.exchange.files import ExportFile

# Space left free on the disk for everything else.
RESERVE = 64 * 1024 * 1024


def write_folder(
    list_files: Callable[[Path], Iterable[ExportFile]], target: Path
) -> list[ExportFile]:
    """Write files under `target`, which must be missing or an empty folder; return them.
    `list_files` gets an empty folder for files that it must make first; it is removed at the end.

    Everything is written to a temporary folder beside it and checked; only then does it replace
    `target`. Raises ReviewError and then leaves nothing behind.
    """
    target = Path(os.path.abspath(target))  # not resolved, so that a link itself is replaced
    _refuse_target(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
            made, unfinished = Path(folder, "made"), Path(folder, "part")
            made.mkdir()
            unfinished.mkdir()
            files = list(list_files(made))
            refuse_full_disk(target.parent, sum(file.size for file in files))
            for file in files:
                _write(file, unfinished)
            os.replace(unfinished, target)
            return files
    except OSError as error:
        raise ReviewError(
            f"Can't write to {target}: {error.strerror or error}. Choose another folder with --out."
        ) from error


def _refuse_target(target: Path) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise ReviewError(f"{target} is not a folder. Choose another with --out.")
    if target.exists() and any(target.iterdir()):
        raise ReviewError(f"{target} is not empty. Empty it or choose another with --out.")


def refuse_full_disk(folder: Path, needed: int) -> None:
    """Raise ReviewError where `needed` bytes and a reserve don't fit."""
    free = shutil.disk_usage(folder).free
    if free < needed + RESERVE:
        raise ReviewError(
            f"The release needs {needed / 1e6:,.0f} MB and {folder} has {free / 1e6:,.0f} MB free. "
            "Make room there."
        )


def _write(file: ExportFile, folder: Path) -> None:
    path = folder / file.path
    if ".." in path.parts or not path.is_relative_to(folder):
        raise ReviewError(f"{file.path} would lie outside the folder.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as stream:
        for chunk in file.checked():
            stream.write(chunk)
