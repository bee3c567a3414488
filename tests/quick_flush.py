"""Empty the database after a test that commits.

On PostgreSQL only the tables that hold something: TRUNCATE of every table, which Django does,
writes new files for each and takes a second or more. On SQLite without the triggers that refuse to
delete rows (`annotate.immutable.forbid_deletes`), which are made again.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations


def empty_filled_tables_alone() -> None:
    """Empty only filled tables wherever Django would empty all, from now on."""
    operations = type(connection.ops)
    truncate_all = operations.sql_flush

    def sql_flush(
        self: BaseDatabaseOperations, style: object, tables: Sequence[str], **options: bool
    ) -> list[str]:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('is_superuser') = 'on'")
            [may_skip_triggers] = cursor.fetchone()
            if options.get("reset_sequences") or not may_skip_triggers or not tables:
                return truncate_all(self, style, tables, **options)
            quoted = {self.quote_name(table) for table in tables}
            holds = "SELECT '{0}' WHERE EXISTS (SELECT FROM {0})"
            cursor.execute(" UNION ALL ".join(holds.format(name) for name in sorted(quoted)))
            filled = [name for (name,) in cursor.fetchall()]
        # Without triggers, neither the order of the tables nor rows that refer to others matter.
        skip_triggers = "SET LOCAL session_replication_role = replica"
        return [skip_triggers, *(f"DELETE FROM {name}" for name in filled)]

    operations.sql_flush = sql_flush


def empty_tables_that_keep_their_rows() -> None:
    """Empty SQLite's tables without those triggers wherever Django would do it, from now on."""
    operations = type(connection.ops)
    delete_all = operations.sql_flush

    def sql_flush(
        self: BaseDatabaseOperations, style: object, tables: Sequence[str], **options: bool
    ) -> list[str]:
        with self.connection.cursor() as cursor:
            cursor.execute(
                "SELECT name, sql FROM sqlite_master "
                "WHERE type = 'trigger' AND substr(name, -5) = '_kept'"
            )
            kept = cursor.fetchall()
        return [
            *(f"DROP TRIGGER {name}" for name, _ in kept),
            *delete_all(self, style, tables, **options),
            *(sql for _, sql in kept),
        ]

    operations.sql_flush = sql_flush
