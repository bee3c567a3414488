"""A data folder that only its owner can read: it has password hashes and sign-in links."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

OTHERS = stat.S_IRWXG | stat.S_IRWXO
UMASK = 0o077


def make_private(folder: Path) -> None:
    """Create `folder` for its owner only, or remove other people's rights to it.

    The folder's entries are changed too; deeper ones aren't, because nobody else can reach them.
    Files that this process creates from now on are also private.
    """
    os.umask(UMASK)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = folder.stat()
    # Removing everybody's rights to a folder like /tmp would break the machine.
    if os.geteuid() not in {0, state.st_uid} or state.st_mode & stat.S_ISVTX:
        raise ImproperlyConfigured(
            f"VERICAP_DATA_DIR is {folder}, which belongs to other people too. "
            "Set it to a folder of your own."
        )
    for path in (folder, *folder.iterdir()):
        _close_to_others(path)


def _close_to_others(path: Path) -> None:
    try:
        state = path.lstat()
        if stat.S_ISLNK(state.st_mode) or not state.st_mode & OTHERS:
            return
        path.chmod(stat.S_IMODE(state.st_mode) & ~OTHERS)
    except FileNotFoundError:
        return  # SQLite's journal can disappear at any time
    except PermissionError as error:
        raise ImproperlyConfigured(
            f"{path} belongs to somebody else, so it can't be closed to others. "
            f"Give it to the user that runs Vericap: chown -R USER {path}"
        ) from error
