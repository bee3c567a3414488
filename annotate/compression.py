"""Store long texts with lz4, which costs PostgreSQL a fraction of its default, pglz."""

from __future__ import annotations

from annotate.immutable import Statements

# A PostgreSQL server can be built without lz4; then the columns stay unchanged.
_IF_OFFERED = """
    DO $$ BEGIN
        IF 'lz4' = ANY (
            SELECT unnest(enumvals) FROM pg_settings WHERE name = 'default_toast_compression'
        ) THEN {statement}; END IF;
    END $$
"""


def compress_with_lz4(table: str, *columns: str) -> Statements:
    """Return the operation that makes PostgreSQL compress new values of these columns with lz4.
    Stored values stay unchanged and readable. A migration that changes the type of such a column
    must run it again, because PostgreSQL then forgets the setting."""
    return Statements(
        table,
        {"sqlite": [], "postgresql": [_if_offered(table, columns, "lz4")]},
        {"sqlite": [], "postgresql": [_if_offered(table, columns, "default")]},
    )


def _if_offered(table: str, columns: tuple[str, ...], method: str) -> str:
    changes = ", ".join(f"ALTER COLUMN {column} SET COMPRESSION {method}" for column in columns)
    return _IF_OFFERED.format(statement=f"ALTER TABLE {table} {changes}")
