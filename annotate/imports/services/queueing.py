"""Handing an import to the worker."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from annotate.imports.tasks import import_video


def queue_import(item_id: int) -> None:
    """Send the task once the row is committed.

    Robust: the row is the truth, so a broker that is away costs a later requeue_imports and
    neither the upload nor the reply to whoever made it.
    """
    transaction.on_commit(partial(import_video.delay, item_id), robust=True)
