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


POSTGRESQL_OPTIONS = {
    # A network that loses everything ends a connection within about 10 seconds, whether it is new
    # (connect_timeout), sends (tcp_user_timeout, in milliseconds) or waits for an answer
    # (keepalives).
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    # Without JIT: compiling takes PostgreSQL longer than running any of our queries; the pages that
    # count 40,000 clips are several times faster. The server, too, notices a lost connection, and
    # then releases its locks.
    "options": "-c jit=off -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 "
    "-c tcp_keepalives_count=3",
}


def limit_statements(database: dict[str, Any], *, seconds: int) -> None:
    """Let PostgreSQL end a statement that takes longer. Connections that are open already keep
    their limit.
    """
    if database["ENGINE"].endswith("postgresql"):
        database["OPTIONS"]["options"] += f" -c statement_timeout={seconds}s"


def with_options(database: dict[str, Any]) -> dict[str, Any]:
    if database["ENGINE"].endswith("sqlite3"):
        return {**database, "OPTIONS": SQLITE_OPTIONS}
    options = {**POSTGRESQL_OPTIONS, **database.get("OPTIONS", {})}
    return {**database, "OPTIONS": options, "CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
