"""Change the facts of an imported video."""

from __future__ import annotations

from typing import TypedDict, Unpack

from django.db import transaction

from annotate.audit import record_event
from annotate.models import User, Video


class VideoFacts(TypedDict, total=False):
    category: str
    subcategory: str
    license: str
    source_url: str


@transaction.atomic
def change_video_facts(*, video: Video, admin: User, **facts: Unpack[VideoFacts]) -> Video:
    """Set these facts of the video. Releases don't change."""
    locked = Video.objects.select_for_update().get(pk=video.pk)
    before = {name: getattr(locked, name) for name in facts}
    if before == facts:
        return locked
    for name, value in facts.items():
        setattr(locked, name, value)
    locked.save(update_fields=list(facts))
    record_event(
        actor=admin,
        verb="change facts",
        subject=locked,
        project=video.project,
        before=before,
        after=dict(facts),
    )
    return locked
