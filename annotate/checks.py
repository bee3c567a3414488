"""Refuse a database of an earlier version, and say what to do."""

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
def refuse_database_of_earlier_version(
    databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Return an error for each database that was made by migrations that no longer exist."""
    return [
        Error(
            "This database belongs to an earlier version of Vericap and can't be updated.",
            hint="Start the demo over with: make demo RESET=1. To keep your data, export it with "
            "the version that made it, then create a new database.",
            id="annotate.E001",
        )
        for alias in databases or ()
        if _is_of_earlier_version(connections[alias])
    ]


def _is_of_earlier_version(connection: BaseDatabaseWrapper) -> bool:
    """Return whether a migration of its history doesn't exist, or made other tables or columns.

    The first migration of an app can change until the first release.
    """
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
