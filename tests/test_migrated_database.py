"""The kept database is the one that the migrations make, and is made anew when they change."""

from __future__ import annotations

import sqlite3
import uuid
from contextlib import closing

import pytest
from django.db import connection

from tests import migrated_database, migrated_postgresql
from tests.migrated_database import copy_to, fingerprint, keep, own_migrations
from tests.migrated_postgresql import Kept


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr(migrated_database, "FOLDER", folder)
    return folder


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "test.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE django_migrations (app text, name text)")
        connection.executemany(
            "INSERT INTO django_migrations VALUES (?, ?)",
            [name.split(".") for name in own_migrations()],
        )
        connection.commit()
    return path


def tables(path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]


def test_a_kept_database_is_copied_without_what_an_earlier_run_left(database, tmp_path):
    target = tmp_path / "other.sqlite3"
    assert not copy_to(target)
    keep(database)
    target.write_bytes(b"of an earlier run")
    target.with_name("other.sqlite3-wal").write_bytes(b"and its journal")
    assert copy_to(target)
    assert tables(target) == ["django_migrations"]


def test_a_changed_migration_makes_it_anew(database, tmp_path, folder, monkeypatch):
    keep(database)
    monkeypatch.setattr(migrated_database, "fingerprint", lambda: "of other migrations")
    assert not copy_to(tmp_path / "other.sqlite3")
    keep(database)
    assert [path.name for path in folder.iterdir()] == ["of other migrations.sqlite3"]


def test_a_database_that_lacks_a_migration_is_not_kept(database, folder):
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DELETE FROM django_migrations WHERE name = '0001_initial'")
        connection.commit()
    with pytest.raises(RuntimeError, match=r"lacks 3 migrations, such as annotate\.0001_initial\."):
        keep(database)
    assert list(folder.iterdir()) == []


def test_an_empty_database_is_not_kept(tmp_path, folder):
    """Another run has removed the file; opening it makes an empty one."""
    with pytest.raises(RuntimeError, match="isn't kept"):
        keep(tmp_path / "removed.sqlite3")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "changed", ["annotate/migrations/0001_initial.py", "annotate/immutable.py"]
)
def test_the_fingerprint_follows_what_migrations_are_made_of(tmp_path, monkeypatch, changed):
    (tmp_path / "annotate/migrations").mkdir(parents=True)
    (tmp_path / "requirements.txt").write_text("Django==5.2")
    (tmp_path / "annotate/immutable.py").write_text("")
    migration = tmp_path / "annotate/migrations/0001_initial.py"
    migration.write_text("from annotate.immutable import forbid_updates\n")
    monkeypatch.setattr(migrated_database, "ROOT", tmp_path)
    before = fingerprint()
    assert fingerprint() == before
    with (tmp_path / changed).open("a") as file:
        file.write("# changed\n")
    assert fingerprint() != before


@pytest.fixture
def kept():
    kept = Kept(f"vericap_kept_{uuid.uuid4().hex[:8]}", "0123456789abcdef")
    yield kept
    for name in (kept.name, f"{kept.name}_copy"):
        migrated_postgresql.drop(name)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL keeps databases")
def test_postgresql_copies_the_database_that_it_keeps(kept):
    database = "template0"  # nobody is connected to it, as PostgreSQL wants of a source
    assert not migrated_postgresql.copy_to(f"{kept.name}_copy", kept)
    older = kept._replace(fingerprint="fedcba9876543210")
    migrated_postgresql.keep(database, older)
    migrated_postgresql.keep(database, kept)
    assert not migrated_postgresql.copy_to(f"{kept.name}_copy", older)
    assert migrated_postgresql.copy_to(f"{kept.name}_copy", kept)
    assert migrated_postgresql.copy_to(f"{kept.name}_copy", kept)
