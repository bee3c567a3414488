"""A page that waits for a worker says when the only one was killed, and when another runs."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from annotate.imports.services import add_item, open_batch
from annotate.jobs import workers
from annotate.models import ImportItem, WorkerBeat
from tests.cast import client_of

# Longer than the time between two beats, so a living worker is never taken for a dead one.
SILENT_AFTER = timedelta(seconds=2 * workers.BEAT_SECONDS)


def is_responding() -> bool:
    beats = workers.last_beats()
    return not any(beats.silence_in(queue) for queue in ("media", "cpu", "gpu"))


def test_a_page_says_that_no_worker_responds_until_one_does(worker, project, ada, monkeypatch):
    monkeypatch.setattr(workers, "SILENT_AFTER", SILENT_AFTER)
    batch = open_batch(project=project, admin=ada)
    item = add_item(batch=batch, name="dive.mp4", size=3)
    # Its message is lost, so that it keeps waiting.
    ImportItem.objects.filter(pk=item.pk).update(state=ImportItem.State.WAITING)

    def page() -> str:
        return client_of(ada).get(f"/p/{project.slug}/imports/{batch.pk}/").text

    worker.wait_for(is_responding, "heartbeat")
    assert "No worker has responded" not in page()

    worker.kill()
    killed = timezone.now()
    assert is_responding(), "between two beats nobody can tell"
    WorkerBeat.objects.update(at=F("at") - SILENT_AFTER)  # as if so much time had passed
    assert not is_responding()
    last = WorkerBeat.objects.filter(queue="media").latest("at").at
    assert last < killed
    since = last.strftime("%-d %b %Y %H:%M:%S")
    assert f"<strong>No worker has responded since {since} UTC.</strong>" in page()

    worker.start()
    worker.wait_for(is_responding, "heartbeat of the next worker")
    assert "No worker has responded" not in page()
