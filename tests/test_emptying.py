"""Between two tests that commit the database is emptied, and its triggers stay."""

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from annotate.models import AuditEvent, Clip, Project
from tests.cast import make_clip, make_person, make_project


@pytest.mark.django_db(transaction=True)
def test_nothing_is_left_and_the_database_still_refuses_what_it_must():
    make_clip(make_project())
    call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
    assert not Project.objects.exists()
    assert not Clip.objects.exists()

    project = make_project()
    event = AuditEvent.objects.create(
        project=project, actor=make_person("Ada"), verb="imported", object_id=1
    )
    with pytest.raises(DatabaseError), transaction.atomic():
        AuditEvent.objects.filter(pk=event.pk).update(verb="released")
    with pytest.raises(DatabaseError), transaction.atomic():
        event.delete()
