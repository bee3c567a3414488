"""A database that only an earlier version can use is refused in a sentence, with what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

OWN_APPS = ("annotate", "inference", "review")


@register(Tags.database)
def refuse_database_of_earlier_version(
    databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Return an error for each database whose history names migrations that don't exist."""
    available = MigrationLoader(None).disk_migrations
    return [
        Error(
            "This database belongs to an earlier version of Vericap and can't be updated.",
            hint="Start the demo over with: make demo RESET=1. To keep your data, export it with "
            "the version that made it, then create a new database.",
            id="annotate.E001",
        )
        for alias in databases or ()
        if any(
            key[0] in OWN_APPS and key not in available
            for key in MigrationRecorder(connections[alias]).applied_migrations()
        )
    ]
