"""A migrated database that is kept: copying it takes no time, migrating takes 20 s.

On SQLite it is a file, on PostgreSQL a database (tests/migrated_postgresql.py). Its name holds what
the migrations are made of, so that it is made anew when that changes.
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
from django.db import connection

from tests import migrated_postgresql
from tests.migrated_postgresql import Kept

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
        self._is_used = not (config.option.reuse_db or config.option.nomigrations)
        self._on_sqlite = connection.vendor == "sqlite"
        test = connection.settings_dict["TEST"]
        self._database = test["NAME"] or f"test_{connection.settings_dict['NAME']}"
        self._kept = Kept(connection.settings_dict["NAME"], fingerprint())
        self._lock = ExitStack()
        self.is_there = False

    def __enter__(self) -> Self:
        if self._is_used:
            FOLDER.mkdir(parents=True, exist_ok=True)
            lock = self._lock.enter_context((FOLDER / f"lock-{connection.vendor}").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self._on_sqlite:
                self.is_there = copy_to(Path(self._database))
            else:
                self.is_there = migrated_postgresql.copy_to(self._database, self._kept)
            if self.is_there:
                self._lock.close()
        return self

    def keep(self) -> None:
        """Keep the database if this process has just migrated it."""
        if self._is_used and not self.is_there:
            if self._on_sqlite:
                keep(Path(self._database))
            else:
                migrated_postgresql.keep(self._database, self._kept)
            self._lock.close()

    def __exit__(self, *exception: object) -> None:
        self._lock.close()
        if self.is_there and not self._on_sqlite:
            migrated_postgresql.drop(self._database)


def copy_to(target: Path) -> bool:
    """Put the kept database at `target`; False where there is none yet."""
    source = FOLDER / f"{fingerprint()}.sqlite3"
    if not source.exists():
        return False
    for leftover in ("-wal", "-shm"):
        target.with_name(target.name + leftover).unlink(missing_ok=True)
    shutil.copyfile(source, target)
    return True


def own_migrations() -> set[str]:
    """Return the names of our migrations, such as annotate.0001_initial."""
    paths = ROOT.glob("*/migrations/[0-9]*.py")
    return {f"{path.parent.parent.name}.{path.stem}" for path in paths}


def applied_migrations(database: Path) -> set[str]:
    """Return the migrations that a database says it has; none for an empty file."""
    with closing(sqlite3.connect(database)) as connection:
        if not connection.execute(
            "SELECT 1 FROM sqlite_master WHERE name = 'django_migrations'"
        ).fetchone():
            return set()
        return {
            name
            for (name,) in connection.execute("SELECT app || '.' || name FROM django_migrations")
        }


def keep(database: Path) -> None:
    """Keep a database that holds what its migrations made and nothing else; forget older ones.

    Raises RuntimeError if a migration isn't in it, as every later run would begin with the copy.
    """
    kept = FOLDER / f"{fingerprint()}.sqlite3"
    unfinished = kept.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("VACUUM INTO ?", [str(unfinished)])
    missing = own_migrations() - applied_migrations(unfinished)
    if missing:
        unfinished.unlink()
        raise RuntimeError(
            f"{database} isn't kept: it lacks {len(missing)} migrations, such as {min(missing)}. "
            "Another run may have removed it: give each run a VERICAP_TEST_DIR of its own."
        )
    for old in FOLDER.glob("*.sqlite3"):
        old.unlink()
    unfinished.rename(kept)
