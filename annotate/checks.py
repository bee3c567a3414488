"""Refuse a database that this version can't update, and say what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

OWN_APPS = ("annotate", "inference", "review")


@register(Tags.database)
def refuse_foreign_database(
    databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Return an error for each database that other migrations than these made."""
    return [
        Error(
            "This version can't update this database: a newer version of Vericap made it, or one "
            "before 0.1.0.",
            hint="Start the demo over with: make demo RESET=1. To keep your data, install the "
            "version that made it, or restore a backup of this version.",
            id="annotate.E001",
        )
        for alias in databases or ()
        if _is_foreign(connections[alias])
    ]


def _is_foreign(connection: BaseDatabaseWrapper) -> bool:
    """Return whether a migration of its history doesn't exist here, or made other tables or
    columns, as the first migration of an app could before 0.1.0."""
    loader = MigrationLoader(None)
    applied = set(MigrationRecorder(connection).applied_migrations())
    own = {key for key in applied if key[0] in OWN_APPS}
    if own - set(loader.disk_migrations):
        return True
    if not own:
        return False
    tables = set(connection.introspection.table_names())
    state = loader.project_state(sorted(own))  # before the pending migrations
    models = [model for model in state.apps.get_models() if model._meta.app_label in OWN_APPS]
    if any(model._meta.db_table not in tables for model in models):
        return True
    with connection.cursor() as cursor:
        return any(
            # Migrations in SQL may have added further columns.
            not {field.column for field in model._meta.local_fields} <= _columns(cursor, model)
            for model in models
        )


def _columns(cursor: CursorWrapper, model: type[Model]) -> set[str]:
    table = cursor.db.ops.quote_name(model._meta.db_table)
    cursor.execute(f"SELECT * FROM {table} LIMIT 0")
    return {column[0] for column in cursor.description}
