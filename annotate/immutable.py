"""Triggers that refuse every change of a row, or its deletion.

SQLite drops a table's triggers when a migration rebuilds the table, so a migration that alters such
a table begins with `allow_updates` and ends with `forbid_updates`. SQLite can't rebuild a table
that a trigger of another table reads: `altering` removes these triggers for that time.
"""

from __future__ import annotations

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState, StateApps


class Statements(Operation):
    """A migration operation that runs SQL for each kind of database, and can be reversed.

    Unlike RunPython, it needs no historical models, which take longer to make than the SQL to run.
    """

    reversible = True

    def __init__(
        self, table: str, forwards: dict[str, list[str]], backwards: dict[str, list[str]]
    ) -> None:
        self.table, self.forwards, self.backwards = table, forwards, backwards

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Leave the models as they are."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        self._run(schema_editor, self.forwards)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        self._run(schema_editor, self.backwards)

    def describe(self) -> str:
        return f"Run SQL for {self.table}"

    def _run(self, editor: BaseDatabaseSchemaEditor, statements: dict[str, list[str]]) -> None:
        for statement in statements[editor.connection.vendor]:
            editor.execute(statement.format(table=self.table), params=None)


def forbid_updates(table: str) -> Statements:
    """Return the operation after which the database refuses every UPDATE of `table`."""
    return Statements(table, _CREATE, _DROP)


def allow_updates(table: str) -> Statements:
    """Return the inverse, for a migration that alters the table and then forbids updates again."""
    return Statements(table, _DROP, _CREATE)


def forbid_deletes(table: str) -> Statements:
    """Return the operation after which the database refuses every DELETE in `table`. A flush, which
    empties the whole database, refuses it too on SQLite."""
    return Statements(table, _CREATE_KEEPING, _DROP_KEEPING)


def altering(table: str, *operations: Operation) -> list[Operation]:
    """Return the operations of a migration that rebuilds a table that triggers of other tables
    read, such as those that keep a triplet in its split."""
    lifted: list[tuple[str, str]] = []

    def lift(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        if editor.connection.vendor == "sqlite":
            with editor.connection.cursor() as cursor:
                cursor.execute(_READERS, [f"%{table}%", table])
                lifted[:] = cursor.fetchall()
            for name, _ in lifted:
                editor.execute(f"DROP TRIGGER {name}", params=None)

    def restore(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        while lifted:
            _, creation = lifted.pop()
            editor.execute(creation, params=None)

    return [RunPython(lift, restore), *operations, RunPython(restore, lift)]


_READERS = """
    SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE %s AND tbl_name <> %s
"""


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
_CREATE_KEEPING = {
    "sqlite": [
        "CREATE TRIGGER {table}_kept BEFORE DELETE ON {table} "
        "BEGIN SELECT RAISE(ABORT, '{table} rows are kept'); END"
    ],
    "postgresql": [
        "CREATE FUNCTION {table}_refuse_delete() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '{table} rows are kept' "
        "USING ERRCODE = 'integrity_constraint_violation'; END $$",
        "CREATE TRIGGER {table}_kept BEFORE DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION {table}_refuse_delete()",
    ],
}
_DROP_KEEPING = {
    "sqlite": ["DROP TRIGGER {table}_kept"],
    "postgresql": [
        "DROP TRIGGER {table}_kept ON {table}",
        "DROP FUNCTION {table}_refuse_delete()",
    ],
}
