"""The one place that writes audit events."""

from __future__ import annotations

from typing import Any

from django.db.models import Model

from annotate.models import AuditEvent, Project, User


def record_event(
    *,
    actor: User | None,
    verb: str,
    subject: Model,
    project: Project | None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> AuditEvent:
    return AuditEvent.objects.create(
        actor=actor,
        verb=verb,
        object_type=subject._meta.model_name or "",
        object_id=subject.pk,
        project=project,
        before=before or {},
        after=after or {},
    )
