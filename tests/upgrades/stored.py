"""Databases of released versions, with content, as they are stored beside the tests.

Each version has a folder of its own in `stored/`: a file of SQLite, the statements of pg_dump, and
the SHA-256 of each migration that the version has.
"""

from __future__ import annotations

import gzip
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg.sql import SQL, Identifier

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "stored"
VERSIONS = sorted(path.name for path in FOLDER.iterdir()) if FOLDER.exists() else []
SQLITE, POSTGRESQL, MIGRATIONS = "sqlite3.gz", "postgresql.sql.gz", "migrations.sha256"
Rows = dict[str, list[dict[str, object]]]


def unpack_sqlite(version: str, target: Path) -> None:
    target.write_bytes(gzip.decompress((FOLDER / version / SQLITE).read_bytes()))


def unpack_postgresql(version: str, url: str) -> None:
    statements = gzip.decompress((FOLDER / version / POSTGRESQL).read_bytes()).decode()
    with psycopg.connect(url) as connection:
        connection.execute(statements.encode())


@contextmanager
def scratch_database(url: str) -> Iterator[None]:
    """Create the database that this address names, and drop it afterwards."""
    parts = urlsplit(url)
    name = Identifier(parts.path[1:])
    drop = SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name)
    server = parts._replace(path="/postgres").geturl()
    with closing(psycopg.connect(server, autocommit=True)) as connection:
        connection.execute(drop)
        connection.execute(SQL("CREATE DATABASE {}").format(name))
        try:
            yield
        finally:
            connection.execute(drop)


def rows_of(url: str) -> Rows:
    """Return all rows of all tables but those that `migrate` fills, by table, in any order."""
    if url.startswith("sqlite"):
        path = url.removeprefix("sqlite:///")
        with closing(sqlite3.connect(path)) as database:
            return _rows(database, "SELECT name FROM sqlite_master WHERE type = 'table'")
    with closing(psycopg.connect(url)) as database:
        return _rows(database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")


def _rows(database: sqlite3.Connection | psycopg.Connection, tables: str) -> Rows:
    rows: Rows = {}
    for (name,) in database.execute(tables).fetchall():
        if name.startswith(("annotate_", "inference_", "review_")):
            cursor = database.execute(f'SELECT * FROM "{name}"')
            columns = [column[0] for column in cursor.description]
            rows[name] = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    return rows


def schema_of(url: str) -> list[tuple[object, ...]]:
    """Return the columns, indexes, constraints and triggers, in an order of their own."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
            return sorted(database.execute(_SQLITE_SCHEMA))
    with closing(psycopg.connect(url)) as database:
        return sorted(
            (*names, _CASTS.sub("", definition), more)
            for *names, definition, more in database.execute(_POSTGRESQL_SCHEMA)
        )


# A database that was restored writes the casts of its conditions in other places.
_CASTS = re.compile(r"::(character varying|text)(\[\])?|[()]")
# The text of a table names its columns in the order in which they were added.
_SQLITE_SCHEMA = """
    SELECT 'column', m.name, c.name, lower(c.type), c."notnull" || ''
    FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'
    UNION ALL
    SELECT type, name, tbl_name, coalesce(sql, ''), '' FROM sqlite_master WHERE type <> 'table'
"""
_POSTGRESQL_SCHEMA = """
    SELECT 'column', table_name::text, column_name::text, data_type::text, is_nullable::text
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL
    SELECT 'index', tablename::text, indexname::text, indexdef, '' FROM pg_indexes
    WHERE schemaname = 'public'
    UNION ALL
    SELECT 'constraint', conrelid::regclass::text, conname::text, pg_get_constraintdef(oid), ''
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'trigger', tgrelid::regclass::text, tgname::text, pg_get_triggerdef(oid), ''
    FROM pg_trigger WHERE NOT tgisinternal
"""
