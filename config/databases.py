"""Settings of each database beyond its address, so that both behave the same under load."""

from __future__ import annotations

from typing import Any

SQLITE_OPTIONS = {
    # IMMEDIATE takes the write lock at the start: two writers then wait for each other (up to
    # `timeout`), while DEFERRED makes the later one fail at once with "database is locked".
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # Pages send more different statements than the 128 that SQLite keeps prepared by default.
    "cached_statements": 1000,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
        "PRAGMA mmap_size=134217728; PRAGMA cache_size=-20000;"
    ),
}


# Without JIT: compiling takes PostgreSQL longer than running any of our queries; the pages that
# count 40,000 clips are several times faster. From its fifth use on a connection, a statement of
# `annotate.sql` is prepared.
POSTGRESQL_OPTIONS = {"options": "-c jit=off", "prepare_threshold": 5}


def with_options(database: dict[str, Any]) -> dict[str, Any]:
    if database["ENGINE"].endswith("sqlite3"):
        return {**database, "OPTIONS": SQLITE_OPTIONS}
    options = {**POSTGRESQL_OPTIONS, **database.get("OPTIONS", {})}
    return {**database, "OPTIONS": options, "CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
