"""Announce, cancel and retry the files of a batch."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotate import file_store
from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.imports.services.refusals import MIB, TRY_AGAIN
from annotate.jobs.services.control import begin_anew, retry_job
from annotate.jobs.services.ending import end_if_done
from annotate.models import ImportBatch, ImportItem, Project, User
from annotate.models.imports import DISMISSED, IMPORT_VIDEOS, SETTLED

State = ImportItem.State


@transaction.atomic
def open_batch(*, project: Project, admin: User | None) -> ImportBatch:
    """Store a job without files; it is queued when the first file has arrived."""
    batch = ImportBatch.objects.create(
        project=project, kind=IMPORT_VIDEOS, queue="media", is_planned=True, created_by=admin
    )
    record_event(actor=admin, verb="start import", subject=batch, project=project)
    return batch


@transaction.atomic
def add_item(
    *,
    batch: ImportBatch,
    name: str,
    size: int,
    category: str = "",
    subcategory: str = "",
    license: str = "",
    source_url: str = "",
) -> ImportItem:
    """Announce a file of the batch; its row says at once if its name or size is refused.

    Raises AnnotateError if the batch was canceled.
    """
    locked = _locked(batch.pk)
    if locked.state == ImportBatch.State.CANCELLED:
        raise AnnotateError("This import was canceled. Start another one.")
    name, code, reason = _check(name, size)
    item = ImportItem.objects.create(
        batch=locked,
        position=locked.total + 1,
        name=name,
        size=size,
        category=category,
        subcategory=subcategory,
        license=license,
        source_url=source_url,
        state=State.FAILED if code else State.UPLOADING,
        code=code,
        reason=reason,
        finished_at=timezone.now() if code else None,
    )
    begin_anew(locked)
    locked.total, locked.title = item.position, locked.title or name
    locked.save(update_fields=["total", "title"])
    if code:
        end_if_done(locked.pk)
    return item


@transaction.atomic
def cancel_item(*, item: ImportItem) -> None:
    """Cancel a file that is still being uploaded, or dismiss a refused one."""
    batch = _locked(item.batch_id)
    locked = ImportItem.objects.select_for_update(of=("self",)).get(pk=item.pk)
    if locked.state == State.UPLOADING:
        locked.state, locked.code, locked.reason = State.FAILED, "cancelled", "Canceled."
    elif is_refused(locked):
        locked.code = DISMISSED
    else:
        raise AnnotateError("This file can no longer be canceled. Reload the page.")
    locked.finished_at = timezone.now()
    locked.save(update_fields=["state", "code", "reason", "finished_at"])
    end_if_done(batch.pk)
    transaction.on_commit(lambda: file_store.remove_incoming(item.pk))


def retry_item(*, item: ImportItem, admin: User | None = None) -> None:
    """Queue a refused file again. Raises AnnotateError if the file itself was the reason."""
    current = ImportItem.objects.select_related("batch").get(pk=item.pk)
    if not may_retry(current):
        raise AnnotateError("This file can't be tried again. Fix it and upload it as a new one.")
    retry_job(job=current.batch, admin=admin, item=current)


def may_retry(item: ImportItem) -> bool:
    return item.state == State.FAILED and item.code in TRY_AGAIN


def is_refused(item: ImportItem) -> bool:
    """Return whether the file was refused, and nobody has canceled or dismissed it."""
    return item.state == State.FAILED and item.code not in SETTLED


def accepted_extensions() -> tuple[str, ...]:
    """Return the accepted suffixes of video files, in lower case with the dot."""
    from annotate.media.names import EXTENSIONS

    return EXTENSIONS


def _locked(batch_id: int) -> ImportBatch:
    """Lock the batch, which must be locked before its items, as canceling does."""
    batches = ImportBatch.objects.select_for_update(of=("self", "job_ptr"), no_key=True)
    return batches.get(pk=batch_id)


def _check(name: str, size: int) -> tuple[str, str, str]:
    """Return the name to store, and the code and reason of a refusal, or two empty texts."""
    # These modules of media load no video library, so a web process can import them.
    from annotate.media.errors import MediaError
    from annotate.media.names import check_file_name

    try:
        name = check_file_name(name)
    except MediaError as error:
        return _printable(name), error.code, str(error)
    if size <= 0:
        return name, "empty", "The file is empty. Copy or download it again."
    max_bytes = settings.VERICAP_MAX_VIDEO_BYTES
    if size > max_bytes:
        return (
            name,
            "too_large",
            f"The file is {size / MIB:,.1f} MiB; the limit is {max_bytes / MIB:,.0f} MiB. "
            "Export it smaller or cut it into parts.",
        )
    return name, "", ""


def _printable(name: str) -> str:
    """Return a refused name in a form that a row can store."""
    return "".join(c if c.isprintable() else "\ufffd" for c in name)[:200] or "(no name)"
