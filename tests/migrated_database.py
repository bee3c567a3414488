"""A migrated SQLite database, kept as a file: copying it takes no time, migrating takes 20 s.

It is kept under a name that holds what the migrations are made of, and made anew when that changes.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import shutil
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Self

import pytest
from django.conf import settings

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".pytest_cache" / "migrated"
IMPORT = re.compile(r"^from ((?:annotate|inference|metrics|review)\S*) import", re.MULTILINE)


def fingerprint() -> str:
    """Changes with the migrations, with our modules that they import, and with the libraries."""
    migrations = sorted(ROOT.glob("*/migrations/*.py"))
    names = {name for path in migrations for name in IMPORT.findall(path.read_text())}
    modules = [ROOT / f"{name.replace('.', '/')}.py" for name in sorted(names)]
    digest = hashlib.sha256(sqlite3.sqlite_version.encode())
    for path in (ROOT / "requirements.txt", *migrations, *modules):
        digest.update(f"{path.relative_to(ROOT)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class MigratedCopy:
    """The test database of this process as a copy of the kept one, where there is one.

    Where there is none, this process holds a lock until it has migrated a database and kept it;
    the others wait for that.
    """

    def __init__(self, config: pytest.Config) -> None:
        database = settings.DATABASES["default"]
        on_sqlite = database["ENGINE"].endswith("sqlite3")
        self._is_used = on_sqlite and not (config.option.reuse_db or config.option.nomigrations)
        self._database = Path(database["TEST"]["NAME"]) if on_sqlite else None
        self._lock = ExitStack()
        self.is_there = False

    def __enter__(self) -> Self:
        if self._is_used:
            FOLDER.mkdir(parents=True, exist_ok=True)
            lock = self._lock.enter_context((FOLDER / "lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.is_there = copy_to(self._database)
            if self.is_there:
                self._lock.close()
        return self

    def keep(self) -> None:
        """Keep the database if this process has just migrated it."""
        if self._is_used and not self.is_there:
            keep(self._database)
            self._lock.close()

    def __exit__(self, *exception: object) -> None:
        self._lock.close()


def copy_to(target: Path) -> bool:
    """Put the kept database at `target`; False where there is none yet."""
    source = FOLDER / f"{fingerprint()}.sqlite3"
    if not source.exists():
        return False
    for leftover in ("-wal", "-shm"):
        target.with_name(target.name + leftover).unlink(missing_ok=True)
    shutil.copyfile(source, target)
    return True


def keep(database: Path) -> None:
    """Keep a database that holds what its migrations made and nothing else; forget older ones."""
    kept = FOLDER / f"{fingerprint()}.sqlite3"
    unfinished = kept.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("VACUUM INTO ?", [str(unfinished)])
    for old in FOLDER.glob("*.sqlite3"):
        old.unlink()
    unfinished.rename(kept)
