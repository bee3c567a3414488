"""What each database needs beyond its address, so that both behave the same under load."""

from __future__ import annotations

from typing import Any

SQLITE_OPTIONS = {
    # IMMEDIATE takes the write lock at the start: two writers then wait for each other (up to
    # `timeout`) where DEFERRED would fail the later one at once with "database is locked".
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # Pages send more than the 128 different statements that SQLite would keep prepared.
    "cached_statements": 1000,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
        "PRAGMA mmap_size=134217728; PRAGMA cache_size=-20000;"
    ),
}


# Compiling a query costs PostgreSQL more than any of ours takes to run: the pages that count
# 40,000 clips are several times faster without it.
# From its fifth use on a connection, a statement of `annotate.sql` is planned no more.
POSTGRESQL_OPTIONS = {"options": "-c jit=off", "prepare_threshold": 5}


def with_options(database: dict[str, Any]) -> dict[str, Any]:
    if database["ENGINE"].endswith("sqlite3"):
        return {**database, "OPTIONS": SQLITE_OPTIONS}
    options = {**POSTGRESQL_OPTIONS, **database.get("OPTIONS", {})}
    return {**database, "OPTIONS": options, "CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
