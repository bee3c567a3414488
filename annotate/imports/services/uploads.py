"""Receive the bytes of a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotate import file_store
from annotate.errors import AnnotateError
from annotate.imports.services.refusals import OffsetMismatch, StorageFailed, TooManyBytes
from annotate.jobs.services.ending import end_if_done
from annotate.jobs.services.queueing import nudge
from annotate.models import ImportItem

State = ImportItem.State


def append_chunk(*, item: ImportItem, offset: int, data: bytes) -> ImportItem:
    """Add bytes to an upload; the last ones queue the import.

    Raises OffsetMismatch with the right offset, TooManyBytes, or StorageFailed, after which the
    upload can continue at the same offset.
    """
    if len(data) > settings.VERICAP_CHUNK_BYTES:
        raise TooManyBytes(f"Send at most {settings.VERICAP_CHUNK_BYTES:,} bytes at a time.")
    with transaction.atomic():
        locked = ImportItem.objects.select_for_update().get(pk=item.pk)
        if locked.state != State.UPLOADING:
            raise AnnotateError(f"This upload has ended: it is {locked.state}.")
        if offset != locked.received:
            raise OffsetMismatch(locked.received)
        if offset + len(data) > locked.size:
            raise TooManyBytes(
                f"The file has more than the {locked.size:,} bytes that were announced. "
                "It has changed: choose it again."
            )
        try:
            length = file_store.write_chunk(locked.pk, offset, data)
        except OSError as error:
            raise StorageFailed(error) from error
        _note_received(locked, length)
    if length < offset:
        raise OffsetMismatch(length)
    return locked


def copy_file(*, item: ImportItem, source: Path, queue: bool) -> ImportItem:
    """Copy a local file; with `queue` a worker imports it, otherwise the caller does."""
    try:
        length = file_store.copy_in(item.pk, source)
    except OSError as error:
        file_store.remove_incoming(item.pk)
        ImportItem.objects.filter(pk=item.pk, state=State.UPLOADING).update(
            state=State.FAILED,
            code="not_copied",
            reason=str(StorageFailed(error)),
            finished_at=timezone.now(),
        )
        end_if_done(item.batch_id)
        item.refresh_from_db()
        return item
    with transaction.atomic():
        locked = ImportItem.objects.select_for_update().get(pk=item.pk)
        locked.size = length
        _note_received(locked, length, queue=queue)
    return locked


def _note_received(item: ImportItem, length: int, *, queue: bool = True) -> None:
    item.received = length
    item.stored_file = file_store.incoming_name(item.pk)
    item.received_at = timezone.now()
    if length == item.size:
        item.state = State.WAITING
        if queue:
            # After the commit, because the batch must be locked before its items.
            transaction.on_commit(partial(nudge, item.batch), robust=True)
    item.save(update_fields=["received", "size", "stored_file", "state", "received_at"])
