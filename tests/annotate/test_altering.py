"""A table that triggers of others read can be altered, and they guard again afterwards."""

import pytest
from django.core.management import call_command
from django.db import DatabaseError

from tests.cast import make_project
from tests.review.triplets import labelled_clip, make_label, make_triplet, modify


@pytest.mark.django_db(transaction=True)
def test_the_triggers_that_read_a_table_outlive_its_alteration():
    call_command("migrate", "annotate", "0010", verbosity=0)
    call_command("migrate", verbosity=0)
    project = make_project()
    labels = make_label(project, "107b"), make_label(project, "109b")
    query = labelled_clip(project, labels[0], "train")
    target = labelled_clip(project, labels[1], "test")
    with pytest.raises(DatabaseError, match="in another split"):
        make_triplet(query, modify(*labels), target)
