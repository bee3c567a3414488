"""What a killed worker leaves is taken up; what kills workers is given up."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.imports.services import requeue_imports, retry_item
from annotate.imports.services.requeueing import MOST_ATTEMPTS, Requeued
from annotate.imports.services.running import run_import
from annotate.models import ImportItem, Video


def silent(item, *, minutes: int = 10, **changes) -> None:
    ImportItem.objects.filter(pk=item.pk).update(
        updated_at=timezone.now() - timedelta(minutes=minutes), **changes
    )


@pytest.mark.parametrize("state", ["queued", "running"])
def test_a_silent_import_is_queued_again_and_finishes(
    upload, real_bytes, state, django_capture_on_commit_callbacks
):
    item = upload(real_bytes)
    silent(item, state=state, attempts=1, step="Converting", progress=40)
    with django_capture_on_commit_callbacks() as queued:
        assert requeue_imports() == Requeued(queued=1, refused=0)
    assert [callback.args for callback in queued] == [(item.pk,)]
    run_import(item_id=item.pk)
    item.refresh_from_db()
    assert (item.state, item.attempts, Video.objects.count()) == ("done", 2, 1)


def test_one_that_has_just_spoken_is_left_alone(upload):
    item = upload(b"abc")
    silent(item, minutes=1, state="running", attempts=1)
    assert requeue_imports() == Requeued(0, 0)
    item.refresh_from_db()
    assert item.state == "running"


@pytest.mark.parametrize("state", ["uploading", "done", "refused"])
def test_only_what_was_under_way_is_taken_up(upload, state):
    silent(upload(b"abc"), state=state)
    assert requeue_imports() == Requeued(0, 0)


def test_a_file_that_ends_every_worker_is_given_up_and_can_be_tried_again(upload, stored_files):
    item = upload(b"abc")
    silent(item, state="running", attempts=MOST_ATTEMPTS)
    assert requeue_imports() == Requeued(queued=0, refused=1)
    item.refresh_from_db()
    assert (item.state, item.code) == ("refused", "gave_up")
    assert len(stored_files()) == 1
    retry_item(item=item)
    item.refresh_from_db()
    assert (item.state, item.attempts) == ("queued", 0)
