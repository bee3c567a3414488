"""Rows that may be added but never changed, whatever code or console asks for it.

SQLite drops a table's triggers when a migration rebuilds the table, so a migration that alters
such a table begins with `allow_updates` and ends with `forbid_updates`.
"""

from __future__ import annotations

from django.db.migrations import RunPython


def forbid_updates(table: str) -> RunPython:
    """A migration operation after which the database refuses every UPDATE of `table`."""
    return RunPython(
        lambda apps, editor: _run(editor, _CREATE, table),
        lambda apps, editor: _run(editor, _DROP, table),
    )


def allow_updates(table: str) -> RunPython:
    """The inverse, for a migration that alters the table and then forbids updates again."""
    return RunPython(
        lambda apps, editor: _run(editor, _DROP, table),
        lambda apps, editor: _run(editor, _CREATE, table),
    )


def _run(editor, statements: dict[str, list[str]], table: str) -> None:
    for statement in statements[editor.connection.vendor]:
        editor.execute(statement.format(table=table), params=None)


_CREATE = {
    "sqlite": [
        "CREATE TRIGGER {table}_immutable BEFORE UPDATE ON {table} "
        "BEGIN SELECT RAISE(ABORT, '{table} rows are immutable'); END"
    ],
    "postgresql": [
        "CREATE FUNCTION {table}_refuse_update() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '{table} rows are immutable' "
        "USING ERRCODE = 'integrity_constraint_violation'; END $$",
        "CREATE TRIGGER {table}_immutable BEFORE UPDATE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION {table}_refuse_update()",
    ],
}
_DROP = {
    "sqlite": ["DROP TRIGGER {table}_immutable"],
    "postgresql": [
        "DROP TRIGGER {table}_immutable ON {table}",
        "DROP FUNCTION {table}_refuse_update()",
    ],
}
