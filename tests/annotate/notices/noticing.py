"""Notices for tests."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Model
from django.urls import reverse
from django.utils import timezone

from annotate.models import Notice, Project, User
from annotate.notices.services import notify


def tell(
    person: User,
    project: Project,
    subject: Model,
    *,
    kind: Notice.Kind = Notice.Kind.RETURNED,
    text: str = "Your write-up of Clip 1 was sent back to you.",
    detail: str = "",
    minutes_ago: int = 0,
) -> Notice:
    """Tell the person something; return the notice."""
    address = reverse("annotate:my_work", args=[project.slug])
    notify(
        people=[person],
        project=project,
        kind=kind,
        subject=subject,
        text=text,
        detail=detail,
        address=address,
    )
    notice = Notice.objects.filter(person=person).latest("id")
    if minutes_ago:
        notice.created_at = timezone.now() - timedelta(minutes=minutes_ago)
        notice.save(update_fields=["created_at"])
    return notice
