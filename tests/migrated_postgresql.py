"""A migrated database on PostgreSQL, kept beside the tests' own: a copy of it takes a moment."""

from __future__ import annotations

from typing import NamedTuple

import psycopg
from django.conf import settings
from django.db import connection
from psycopg.sql import SQL, Identifier


class Kept(NamedTuple):
    """The name of a kept database: the tests' database, and what its migrations are made of."""

    database: str
    fingerprint: str

    @property
    def name(self) -> str:
        return f"{self.database}_{self.fingerprint}"


def copy_to(target: str, kept: Kept) -> bool:
    """Make the database `target` a copy of the kept one; False where there is none yet."""
    with maintenance() as server:
        if not databases_like(server, f"^{kept.name}$"):
            return False
        drop_database(server, target)
        copy_database(server, kept.name, target)
    return True


def keep(database: str, kept: Kept) -> None:
    """Keep `database` as its migrations made it; forget older ones."""
    connection.close()  # a database that somebody is connected to can't be copied
    with maintenance() as server:
        for old in databases_like(server, f"^{kept.database}_[0-9a-f]{{16}}$"):
            drop_database(server, old)
        copy_database(server, database, kept.name)


def drop(database: str) -> None:
    connection.close()
    with maintenance() as server:
        drop_database(server, database)


def databases_like(server: psycopg.Connection, pattern: str) -> list[str]:
    rows = server.execute("SELECT datname FROM pg_database WHERE datname ~ %s", [pattern])
    return [name for (name,) in rows]


def maintenance() -> psycopg.Connection:
    """A connection to the server's own database, from which others are made and dropped."""
    database = settings.DATABASES["default"]
    return psycopg.connect(
        host=database["HOST"],
        port=database["PORT"] or 5432,
        user=database["USER"],
        password=database["PASSWORD"],
        dbname="postgres",
        autocommit=True,
    )


def copy_database(server: psycopg.Connection, source: str, target: str) -> None:
    copy = "CREATE DATABASE {} TEMPLATE {}"
    server.execute(SQL(copy).format(Identifier(target), Identifier(source)))


def drop_database(server: psycopg.Connection, name: str) -> None:
    server.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name)))
