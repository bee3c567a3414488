"""The worker task that sends digests; a worker with --beat, as the demo's, repeats it."""

from __future__ import annotations

from celery import shared_task


@shared_task(name="annotate.send_notices")
def send_notices() -> None:
    # Import here: a process that only queues the task needs no mail.
    from annotate.notices.digests import send_digests
    from annotate.notices.services import forget_old_notices

    send_digests()
    forget_old_notices()
