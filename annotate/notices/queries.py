"""Which notices a person has, and whose digest is due."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotate.models import Membership, Notice, NoticeChoices, User
from annotate.models.people import PANEL_DOMAIN

# A digest collects the notices of this period.
COLLECTED_FOR = timedelta(minutes=15)


def own_notices(person: User) -> QuerySet[Notice]:
    """Return the person's notices in any channel, from projects that they are a member of."""
    return Notice.objects.filter(_is_member(), person=person)


def notices_of(person: User) -> QuerySet[Notice]:
    """Return the person's notices in the app, newest first, with the projects."""
    in_app = own_notices(person).filter(is_in_app=True)
    return in_app.select_related("project").order_by("-id")


def choices_of(person: User) -> NoticeChoices:
    """Return the person's choices; unsaved if they have made none yet."""
    return NoticeChoices.objects.filter(person=person).first() or NoticeChoices(person=person)


def people_to_mail() -> list[int]:
    """Return the people whose digest is due, those who have waited longest first."""
    now = timezone.now()
    held_back = NoticeChoices.objects.filter(person=OuterRef("person"), next_mail_at__gt=now)
    waiting = Notice.objects.filter(
        ~Exists(held_back),
        ~Q(person__email__endswith=f"@{PANEL_DOMAIN}"),
        needs_mail=True,
        created_at__lte=now - COLLECTED_FOR,
        person__is_active=True,
    )
    return list(dict.fromkeys(waiting.order_by("id").values_list("person", flat=True)))


def to_mail(person: User, off_by_mail: Collection[str], since: timedelta) -> list[Notice]:
    """Return the notices for the person's digest, by project and in order: unread notices of kinds
    that they still want, not older than `since`, of projects that they are a member of."""
    waiting = own_notices(person).filter(
        needs_mail=True, read_at=None, created_at__gte=timezone.now() - since
    )
    notices = waiting.exclude(kind__in=off_by_mail).select_related("project")
    return list(notices.order_by("project__name", "project_id", "id"))


def _is_member() -> Exists:
    members = Membership.objects.filter(user=OuterRef("person"), project=OuterRef("project"))
    return Exists(members)
