"""Models that are created together are those that are created one after another."""

import pytest
from django.db import connection
from django.db.migrations import CreateModel, Migration
from django.db.migrations.state import ProjectState
from django.db.models import CASCADE, BigAutoField, ForeignKey

from annotate.create_models import CreateModels

KEY = ("id", BigAutoField(primary_key=True))
PARENT = CreateModel("Parent", [KEY])
CHILD = CreateModel("Child", [KEY, ("parent", ForeignKey("annotate.parent", CASCADE))])
TABLES = {"annotate_parent", "annotate_child"}


def tables():
    return TABLES & set(connection.introspection.table_names())


def migration(*operations):
    made = Migration("0001_a_test", "annotate")
    made.operations = operations
    return made


@pytest.mark.django_db(transaction=True)
def test_the_tables_are_created_and_dropped():
    before = ProjectState()
    before.apps  # noqa: B018 (rendered, as it is within a list of migrations)
    together = migration(CreateModels([PARENT, CHILD]))
    with connection.schema_editor() as editor:
        after = together.apply(before.clone(), editor)
    try:
        assert tables() == TABLES
        assert after == migration(PARENT, CHILD).mutate_state(before)
        parent = after.apps.get_model("annotate", "Parent").objects.create()
        child = after.apps.get_model("annotate", "Child").objects.create(parent=parent)
        assert child.parent == parent
    finally:
        with connection.schema_editor() as editor:
            together.unapply(before.clone(), editor)
    assert tables() == set()
