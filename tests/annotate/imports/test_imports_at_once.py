"""What happens to an import at the same moment, on whichever database."""

import threading

import pytest
from django.db import connection

from annotate.errors import AnnotateError
from annotate.imports.services import add_item, append_chunk, cancel_item
from annotate.jobs.services.control import cancel_job
from annotate.models import ImportItem, Job

pytestmark = pytest.mark.django_db(transaction=True)
FILES = 4


def at_once(*acts) -> list[Exception]:
    """Do these together; returns what they raised."""
    barrier, errors = threading.Barrier(len(acts)), []

    def run(act):
        try:
            barrier.wait()
            act()
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def arrives(item):
    return lambda: append_chunk(item=item, offset=0, data=b"abc")


def test_a_batch_cancelled_while_its_last_bytes_arrive_keeps_none(batch, stored_files):
    items = [add_item(batch=batch, name=f"{n}.mp4", size=3) for n in range(FILES)]
    errors = at_once(lambda: cancel_job(job=batch, admin=None), *map(arrives, items))
    assert {type(error) for error in errors} <= {AnnotateError}  # that the upload has ended
    assert Job.objects.get(pk=batch.pk).state == "cancelled"
    assert set(ImportItem.objects.values_list("state", flat=True)) == {"cancelled"}
    assert stored_files() == []


def test_files_announced_at_once_get_places_of_their_own(batch):
    announce = [lambda n=n: add_item(batch=batch, name=f"{n}.mp4", size=3) for n in range(FILES)]
    assert at_once(*announce) == []
    places = ImportItem.objects.order_by("position").values_list("position", flat=True)
    assert list(places) == [1, 2, 3, 4]
    assert Job.objects.get(pk=batch.pk).total == FILES


def test_a_batch_whose_files_are_given_up_at_once_ends(batch):
    items = [add_item(batch=batch, name=f"{n}.mp4", size=3) for n in range(FILES)]
    assert at_once(*(lambda item=item: cancel_item(item=item) for item in items)) == []
    job = Job.objects.get(pk=batch.pk)
    assert (job.state, job.counts["failed"]) == ("done", FILES)
