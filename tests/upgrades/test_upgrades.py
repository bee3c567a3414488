"""A database of each released version takes every migration since, and one more."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import pytest
from django.db import connection

from tests.upgrades.stored import (
    FOLDER,
    MIGRATIONS,
    ROOT,
    VERSIONS,
    Rows,
    rows_of,
    schema_of,
    scratch_database,
    unpack_postgresql,
    unpack_sqlite,
)

FURTHER = {"annotate_caption": {"further": "new"}, "annotate_video": {"further": "new"}}
# What projects of 0.1.0 had in columns and have in rows since.
COLUMNS = ("_guideline", "_kinds", "_percents")
SET_RULES = """
import django
django.setup()
from django.db import connection
connection.cursor().execute(
    "UPDATE annotate_project SET write_guideline = 'Look twice.', gold_kinds = '[\\"write\\"]', "
    "training_kinds = '[\\"rate\\", \\"write\\"]', watched_percents = '{\\"pair\\": 80}'"
)
"""
RULES = {
    "write": {"guideline": "Look twice.", "has_gold": True, "has_training": True},
    "rate": {"has_training": True},
    "pair": {"watched_percent": 80},
}
NO_RULES = {"guideline": "", "has_gold": False, "has_training": False, "watched_percent": 0}
READ_ALL = """
import json
import django
django.setup()
from django.apps import apps
from annotate.models import Caption
print(json.dumps({
    model._meta.db_table: len(list(model._base_manager.all())) for model in apps.get_models()
}))
print(sorted(set(Caption.objects.values_list("text", flat=True)))[0])
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_no_migration_of_a_released_version_is_edited(version):
    """A database that has it wouldn't take the change: add another migration instead."""
    for line in (FOLDER / version / MIGRATIONS).read_text().splitlines():
        sha256, name = line.split("  ")
        assert hashlib.sha256((ROOT / name).read_bytes()).hexdigest() == sha256, name


@pytest.fixture
def old_database(version, tmp_path, transactional_db):
    """The address of a database of that version, of the same kind as that of the tests."""
    if connection.vendor == "sqlite":
        unpack_sqlite(version, tmp_path / "old.sqlite3")
        yield f"sqlite:///{tmp_path / 'old.sqlite3'}"
        return
    url = f"{address_of_the_tests()}_{version.replace('.', '_')}"
    with scratch_database(url):
        unpack_postgresql(version, url)
        yield url


def address_of_the_tests() -> str:
    of = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{of['NAME']}"
    return f"postgres://{of['USER']}:{of['PASSWORD']}@{of['HOST']}:{of['PORT']}/{of['NAME']}"


def run(url: str, *arguments: str, settings: str = "config.settings.test") -> str:
    """Run Python on that database, as a server does after an upgrade."""
    environment = {"DJANGO_SETTINGS_MODULE": settings, "TEST_DATABASE_URL": url}
    return subprocess.run(
        [sys.executable, *arguments],
        check=True,
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def with_rows_of_rules(rows: Rows) -> Rows:
    projects = [
        {name: value for name, value in row.items() if not name.endswith(COLUMNS)}
        for row in rows["annotate_project"]
    ]
    rules = [
        {"id": number, "project_id": project["id"], "kind": kind, **NO_RULES, **RULES[kind]}
        for project in projects
        for number, kind in enumerate(RULES, 1)
    ]
    return rows | {"annotate_project": projects, "annotate_workrules": rules}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_database_of_a_released_version_becomes_one_of_today(old_database):
    run(old_database, "-c", SET_RULES)
    before = with_rows_of_rules(rows_of(old_database))
    run(old_database, "manage.py", "migrate", "-v0")
    assert rows_of(old_database) == before
    assert schema_of(old_database) == schema_of(address_of_the_tests())
    numbers, text = run(old_database, "-c", READ_ALL).splitlines()
    assert {name: n for name, n in json.loads(numbers).items() if name in before} == {
        name: len(rows) for name, rows in before.items() if name in json.loads(numbers)
    }
    assert text == "A dive."


@pytest.mark.parametrize("version", VERSIONS)
def test_a_further_migration_keeps_every_row_and_trigger(old_database):
    run(old_database, "manage.py", "migrate", "-v0")
    before = rows_of(old_database)
    triggers = [row for row in schema_of(old_database) if row[0] == "trigger"]
    run(old_database, "manage.py", "migrate", "-v0", settings="tests.upgrades.settings")
    assert rows_of(old_database) == {
        name: [row | FURTHER.get(name, {}) for row in rows] for name, rows in before.items()
    }
    assert [row for row in schema_of(old_database) if row[0] == "trigger"] == triggers
