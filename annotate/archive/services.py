"""Archive a thing, restore it, and delete it if nothing depends on it."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Model

from annotate.archive.kinds import ArchiveKind
from annotate.archive.queries import archived_row, dependents
from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.models import Archived, Project, User

MAX_REASON_LENGTH = 150


@transaction.atomic
def archive_thing(
    *, project: Project, kind: ArchiveKind[Any], thing: Model, reason: str, admin: User
) -> Archived:
    """Put the thing away; everything that refers to it stays. Raises AnnotateError."""
    thing = _lock(kind, project, thing)
    if archived_row(kind.name, thing.pk):
        raise AnnotateError("It is archived already. Nothing was changed.")
    reason = " ".join(reason.split())
    if len(reason) > MAX_REASON_LENGTH:
        raise AnnotateError(f"Shorten the reason to {MAX_REASON_LENGTH} characters.")
    _refuse(kind, thing)
    row = Archived.objects.create(
        project=project,
        kind=kind.name,
        subject=thing.pk,
        name=kind.title(thing)[:200],
        reason=reason,
        archived_by=admin,
    )
    kind.archived(thing, row, admin)
    record_event(
        actor=admin, verb="archive", subject=thing, project=project, after={"reason": reason}
    )
    return row


@transaction.atomic
def restore_thing(*, project: Project, kind: ArchiveKind[Any], thing: Model, admin: User) -> None:
    """Restore the thing. Raises AnnotateError."""
    thing = _lock(kind, project, thing)
    row = archived_row(kind.name, thing.pk)
    if row is None:
        raise AnnotateError("It is not archived. Nothing was changed.")
    kind.restored(thing, row, admin)
    row.delete()
    record_event(actor=admin, verb="restore", subject=thing, project=project)


@transaction.atomic
def delete_thing(*, project: Project, kind: ArchiveKind[Any], thing: Model, admin: User) -> None:
    """Delete the thing with its parts, if nothing depends on it. Raises AnnotateError."""
    thing = _lock(kind, project, thing)
    _refuse(kind, thing)
    if depending := dependents(kind, thing):
        raise AnnotateError(f"This depends on it: {words_of(depending)}. Archive it instead.")
    title = kind.title(thing)
    record_event(
        actor=admin,
        verb="delete",
        subject=thing,
        project=None if isinstance(thing, Project) else project,
        before={"name": title},
    )
    Archived.objects.filter(kind=kind.name, subject=thing.pk).delete()
    key = thing.pk
    for rows in reversed(kind.roots(thing)):
        rows.delete()
    thing.pk = key
    kind.deleted(thing)


def words_of(counts: dict[str, int]) -> str:
    """Return counts in words, such as "3 captions and 1 vote"."""
    parts = [f"{number:,} {name}" for name, number in counts.items()]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _lock(kind: ArchiveKind[Any], project: Project, thing: Model) -> Any:
    things = kind.things(project).filter(pk=thing.pk)
    locked = things.select_for_update(of=("self",)).first()
    if locked is None:
        raise AnnotateError("Somebody has deleted it meanwhile.")
    return locked


def _refuse(kind: ArchiveKind[Any], thing: Model) -> None:
    if reason := kind.refusal(thing):
        raise AnnotateError(reason)
