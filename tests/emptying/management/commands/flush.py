"""`flush`, as Django calls it after each test that commits: it empties the filled tables alone.

Django lets an app bring a command of its own by this name. Its own command would take a second or
more on PostgreSQL, where TRUNCATE writes new files for each table, and fail on SQLite, where the
triggers of `annotate.immutable.forbid_deletes` refuse to delete rows.
"""

from __future__ import annotations

from typing import Any

from django.core.management.commands import flush
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper


class Command(flush.Command):
    def handle(self, **options: Any) -> None:
        """Empty the database without asking. Numbers are not counted from 1 again, and nobody is
        told of new tables: no test needs the permissions and types that Django would store."""
        if options["interactive"] or options.get("reset_sequences", True):
            return super().handle(**options)
        connection = connections[options["database"]]
        on_sqlite = connection.vendor == "sqlite"
        if not on_sqlite and not may_skip_triggers(connection):
            return super().handle(**options)
        tables = connection.introspection.django_table_names(only_existing=True)
        holds = "SELECT '{0}' WHERE EXISTS (SELECT 1 FROM \"{0}\")"
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(map(holds.format, sorted(tables))))
            filled = [name for (name,) in cursor.fetchall()]
            kept = []
            if on_sqlite:
                cursor.execute(
                    "SELECT name, sql, tbl_name FROM sqlite_master "
                    "WHERE type = 'trigger' AND substr(name, -5) = '_kept'"
                )
                kept = [(name, sql) for name, sql, table in cursor.fetchall() if table in filled]
            else:  # neither triggers nor the order of the tables matter
                cursor.execute("SET LOCAL session_replication_role = replica")
            for name, _ in kept:
                cursor.execute(f"DROP TRIGGER {name}")
            for name in filled:
                cursor.execute(f'DELETE FROM "{name}"')
            for _, sql in kept:
                cursor.execute(sql)


def may_skip_triggers(connection: BaseDatabaseWrapper) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('is_superuser') = 'on'")
        return bool(cursor.fetchone()[0])
