"""What a dead worker leaves is resumed; what kills workers is given up."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.imports.services import add_item, append_chunk, cancel_item, retry_item
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.leases import MAX_DEATHS
from annotate.jobs.services.queueing import abandoned_jobs, requeue_jobs
from annotate.models import ImportItem, Video
from annotate.models.jobs import Job
from tests.import_work import run_import


def silent(item, *, minutes: int = 10, **changes) -> None:
    """As if its worker had died so long ago."""
    past = timezone.now() - timedelta(minutes=minutes)
    ImportItem.objects.filter(pk=item.pk).update(lease_until=past, **changes)


def job_of(item) -> Job:
    return Job.objects.get(pk=item.batch_id)


@pytest.mark.parametrize("state", ["waiting", "running"])
def test_a_silent_import_is_queued_again_and_finishes(
    upload, real_bytes, state, django_capture_on_commit_callbacks
):
    item = upload(real_bytes)
    silent(item, state=state, attempts=1, step="Converting", progress=40)
    with django_capture_on_commit_callbacks() as queued:
        assert requeue_jobs().jobs == 1
    assert [callback.keywords["args"] for callback in queued] == [(item.batch_id,)]
    run_import(item_id=item.pk)
    item.refresh_from_db()
    assert (item.state, item.attempts, Video.objects.count()) == ("done", 2, 1)
    assert job_of(item).state == "done"


def test_one_that_has_just_spoken_is_left_alone(upload):
    item = upload(b"abc")
    silent(item, minutes=-1, state="running", attempts=1)
    assert requeue_jobs().jobs == 0
    item.refresh_from_db()
    assert item.state == "running"


def test_no_worker_is_told_of_files_that_still_arrive(batch, upload):
    add_item(batch=batch, name="a.mp4", size=5)
    assert not abandoned_jobs().exists()
    silent(upload(b"abc"))
    assert abandoned_jobs().exists()


@pytest.mark.parametrize("state", ["done", "failed"])
def test_a_batch_whose_worker_died_at_its_end_is_ended(upload, state):
    item = upload(b"abc")
    silent(item, state=state)
    assert requeue_jobs().jobs == 1
    run_import(item_id=item.pk)
    assert (job_of(item).state, requeue_jobs().jobs) == ("done", 0)


def test_a_file_that_ends_every_worker_is_given_up_and_can_be_tried_again(upload, stored_files):
    item = upload(b"abc")
    silent(item, state="running", deaths=MAX_DEATHS - 1)
    run_import(item_id=item.pk)
    item.refresh_from_db()
    assert (item.state, item.code) == ("failed", "gave_up")
    assert len(stored_files()) == 1
    assert job_of(item).state == "done"
    retry_item(item=item)
    item.refresh_from_db()
    assert (item.state, item.deaths, job_of(item).state) == ("waiting", 0, "waiting")


def test_a_further_file_begins_the_batch_anew(batch, upload, real_bytes):
    first = upload(real_bytes)
    run_import(item_id=first.pk)
    assert job_of(first).state == "done"
    upload(b"just words " * 20, "b.mp4")
    assert job_of(first).state == "waiting"
    run_import(item_id=first.pk)
    job = job_of(first)
    assert (job.state, job.total, job.counts["done"], job.counts["failed"]) == ("done", 2, 1, 1)


def test_a_batch_ends_with_its_last_upload_given_up(batch):
    item = add_item(batch=batch, name="a.mp4", size=5)
    assert job_of(item).is_active
    cancel_item(item=item)
    assert job_of(item).state == "done"


def test_a_cancelled_batch_keeps_what_is_imported_and_no_bytes(
    batch, upload, real_bytes, stored_files, django_capture_on_commit_callbacks
):
    run_import(item_id=upload(real_bytes, "a.mp4").pk)
    kept = stored_files()
    arriving = add_item(batch=batch, name="b.mp4", size=5)
    append_chunk(item=arriving, offset=0, data=b"abc")
    upload(b"def", "c.mp4")
    with django_capture_on_commit_callbacks(execute=True):
        assert cancel_job(job=job_of(arriving), admin=None) == 2
    assert (stored_files(), Video.objects.count()) == (kept, 1)
    with pytest.raises(Exception, match="ended"):
        append_chunk(item=arriving, offset=3, data=b"de")
    with pytest.raises(Exception, match="was canceled"):
        add_item(batch=batch, name="d.mp4", size=5)
    with pytest.raises(Exception, match="Nothing to retry"):
        retry_job(job=job_of(arriving), admin=None)


def test_retrying_all_leaves_files_that_are_wrong_themselves(upload):
    wrong, ours = upload(b"abc", "a.mp4"), upload(b"abc", "b.mp4")
    ImportItem.objects.filter(pk=wrong.pk).update(state="failed", code="truncated")
    ImportItem.objects.filter(pk=ours.pk).update(state="failed", code="disk_full")
    assert retry_job(job=job_of(wrong), admin=None) == 1
    states = ImportItem.objects.order_by("position").values_list("state", flat=True)
    assert list(states) == ["failed", "waiting"]
