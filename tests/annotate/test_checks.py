"""A database of another version is refused with what to do, and never with a traceback."""

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from annotate.checks import refuse_foreign_database

pytestmark = pytest.mark.django_db


def test_a_database_of_this_version_is_taken():
    call_command("migrate", verbosity=0, skip_checks=False)


def test_a_database_with_an_unknown_migration_is_answered_with_what_to_do():
    MigrationRecorder(connection).record_applied("annotate", "0003_playback_hash")
    with pytest.raises(SystemCheckError, match="make demo RESET=1"):
        call_command("migrate", verbosity=0, skip_checks=False)


def test_a_database_from_before_a_table_is_answered_too():
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE annotate_jobitem RENAME TO annotate_earlier")
    with pytest.raises(SystemCheckError, match="make demo RESET=1"):
        call_command("migrate", verbosity=0, skip_checks=False)


def test_a_database_from_before_a_column_is_answered_too():
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE annotate_jobitem RENAME COLUMN note TO remark")
    with pytest.raises(SystemCheckError, match="make demo RESET=1"):
        call_command("migrate", verbosity=0, skip_checks=False)


def test_a_migration_of_a_library_that_is_gone_is_no_reason_to_refuse():
    MigrationRecorder(connection).record_applied("retired_library", "0001_initial")
    call_command("migrate", verbosity=0, skip_checks=False)


def test_a_pending_migration_is_no_reason_to_refuse(monkeypatch):
    build_graph = MigrationLoader.build_graph

    def build_with_pending(loader):
        build_graph(loader)
        pending = ("annotate", "9999_pending")
        [latest] = loader.graph.leaf_nodes("annotate")
        loader.graph.add_node(pending, Migration("9999_pending", "annotate"))
        loader.graph.add_dependency(None, pending, latest)

    monkeypatch.setattr(MigrationLoader, "build_graph", build_with_pending)
    assert refuse_foreign_database(["default"]) == []
