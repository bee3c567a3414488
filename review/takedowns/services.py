"""Take items out of published releases, and undo it. Rows are only added."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Project, User
from review.errors import ReviewError
from review.frozen.models import Release
from review.frozen.takedowns import Reinstatement, Takedown, active_takedowns
from review.releases.archives import drop_archives, start_archive
from review.takedowns.queries import affected_by, key_of, name_of, proposed


@transaction.atomic
def take_down(
    *, project: Project, what: str, key: int, reason: str, admin: User | None, note: str = ""
) -> Takedown:
    """Take a clip, a video or a caption out of every release, past and future, and rebuild the ZIPs
    that contain it. Raises ReviewError and then changes nothing."""
    project = Project.objects.select_for_update().get(pk=project.pk)
    takedown = proposed(project, what, key)
    if takedown is None:
        raise ReviewError(f"This project has no {what} {key}. Nothing was changed.")
    if reason not in Takedown.Reason.values:
        reasons = ", ".join(Takedown.Reason.values)
        raise ReviewError(f"The reason must be one of: {reasons}. Nothing was changed.")
    for active in active_takedowns(project.pk):
        if (active.what, key_of(active)) == (what, key):
            raise ReviewError(f"{name_of(takedown)} is taken down already. Nothing was changed.")
    takedown.reason, takedown.note, takedown.created_by = reason, note.strip(), admin
    takedown.save(force_insert=True)
    affected = affected_by(takedown)
    record_event(
        actor=admin,
        verb="take down",
        subject=takedown,
        project=project,
        after={
            "what": what,
            "key": key,
            "reason": reason,
            "releases": [entry.release.version for entry in affected],
        },
    )
    _build_again([entry.release for entry in affected], admin)
    return takedown


@transaction.atomic
def undo_takedown(*, takedown: Takedown, admin: User | None) -> None:
    """Let releases offer the item again. Raises ReviewError if they do."""
    project = Project.objects.select_for_update().get(pk=takedown.project_id)
    if Reinstatement.objects.filter(takedown=takedown).exists():
        raise ReviewError("This was undone already. Nothing was changed.")
    Reinstatement.objects.create(takedown=takedown, created_by=admin)
    affected = affected_by(takedown)
    record_event(
        actor=admin,
        verb="undo takedown",
        subject=takedown,
        project=project,
        before={"what": takedown.what, "key": key_of(takedown), "reason": takedown.reason},
        after={"releases": [entry.release.version for entry in affected]},
    )
    _build_again([entry.release for entry in affected], admin)


def _build_again(releases: Sequence[Release], admin: User | None) -> None:
    """Remove the ZIPs of these releases, and let workers rebuild them."""
    of = {release.pk: release for release in releases}
    for archive in drop_archives(releases):
        start_archive(release=of[archive.release_id], format_name=archive.format, user=admin)
