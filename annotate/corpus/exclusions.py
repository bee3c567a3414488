"""Who excluded a video from the benchmark or included it again, and why."""

from __future__ import annotations

from annotate.models import AuditEvent, Video

EXCLUDE, INCLUDE = "exclude", "include"


def exclusion_history(video: Video) -> list[AuditEvent]:
    """Return the events with their actors, newest first. `after` has the reason; "" if the video
    was included again.
    """
    return list(
        AuditEvent.objects.filter(
            object_type=video._meta.model_name, object_id=video.pk, verb__in=[EXCLUDE, INCLUDE]
        ).select_related("actor")
    )
