"""A table that triggers of others read can be altered, and they guard again afterwards."""

import pytest
from django.db import DatabaseError, connection
from django.db.migrations import AddField, Migration
from django.db.migrations.loader import MigrationLoader
from django.db.models import CharField

from annotate.immutable import altering
from tests.cast import make_project
from tests.review.triplets.triplets import labelled_clip, make_label, make_triplet, modify


@pytest.mark.django_db(transaction=True)
def test_the_triggers_that_read_a_table_outlive_its_alteration():
    migration = Migration("0099_a_new_column", "annotate")
    new_column = AddField("video", "new_column", CharField(max_length=10, default=""))
    migration.operations = altering("annotate_video", new_column)
    before = MigrationLoader(connection).project_state()
    with connection.schema_editor() as editor:
        migration.apply(before.clone(), editor)
    with connection.schema_editor() as editor:
        migration.unapply(before.clone(), editor)

    project = make_project()
    labels = make_label(project, "107b"), make_label(project, "109b")
    query = labelled_clip(project, labels[0], "train")
    target = labelled_clip(project, labels[1], "test")
    with pytest.raises(DatabaseError, match="in another split"):
        make_triplet(query, modify(*labels), target)
