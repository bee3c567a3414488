"""Create notices, mark them read, and store which ones people want."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from annotate.models import Membership, Notice, NoticeChoices, Project, User

KEPT_FOR = timedelta(days=90)


@transaction.atomic
def notify(
    *,
    people: Iterable[User],
    project: Project,
    kind: Notice.Kind,
    subject: Model,
    text: str,
    address: str,
    detail: str = "",
) -> None:
    """Notify each person once, in the channels that they want. Call it in the event's transaction.

    `address` is the path of a page that all of them can open. An unread notice of the same kind
    about the same object is replaced. `text` and `detail` must not reveal anything that the person
    judges blindly.
    """
    receivers = {person.pk: person for person in people}
    rows = NoticeChoices.objects.filter(person__in=receivers)
    choices = {row.person_id: row for row in rows}
    about = _name_of(subject)
    earlier = Notice.objects.filter(person__in=receivers, kind=kind, about=about, read_at=None)
    earlier.delete()
    notices = []
    for key in receivers:
        person_choices = choices.get(key) or NoticeChoices()
        in_app = kind not in person_choices.off_in_app
        by_mail = kind not in person_choices.off_by_mail
        if in_app or by_mail:
            notices.append(
                Notice(
                    person_id=key,
                    project=project,
                    kind=kind,
                    about=about,
                    text=_short(text, 200),
                    detail=_short(detail, 300),
                    address=address,
                    is_in_app=in_app,
                    needs_mail=by_mail,
                )
            )
    Notice.objects.bulk_create(notices)


def admins_of(project: Project) -> list[User]:
    """Return the people who get notices for admins."""
    members = Membership.objects.filter(project=project, is_admin=True).select_related("user")
    return [membership.user for membership in members.order_by("pk")]


def mark_read(notices: Iterable[Notice]) -> int:
    """Note that these notices were read; return how many were not yet."""
    unread = Notice.objects.filter(pk__in=[notice.pk for notice in notices], read_at=None)
    return unread.update(read_at=timezone.now())


def mark_all_read(notices: QuerySet[Notice]) -> int:
    """Mark these notices read; return how many the app had shown as unread."""
    unread = notices.filter(read_at=None)
    unread_in_app = unread.filter(is_in_app=True).count()
    unread.update(read_at=timezone.now())
    return unread_in_app


def mark_subject_read(*, person: User, kind: Notice.Kind, subject: Model) -> None:
    """Mark notices read after the person has dealt with their subject."""
    unread = Notice.objects.filter(person=person, kind=kind, about=_name_of(subject), read_at=None)
    unread.update(read_at=timezone.now())


@transaction.atomic
def choose_notices(
    *, person: User, off_in_app: Collection[str], off_by_mail: Collection[str]
) -> NoticeChoices:
    """Store which kinds the person turned off. This applies to later events, and for mail also to
    waiting notices."""
    choices, _ = NoticeChoices.objects.update_or_create(
        person=person,
        defaults={"off_in_app": sorted(off_in_app), "off_by_mail": sorted(off_by_mail)},
    )
    return choices


def forget_old_notices() -> int:
    """Delete notices older than KEPT_FOR; return their number."""
    deleted, _ = Notice.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return deleted


def _name_of(subject: Model) -> str:
    return f"{subject._meta.model_name} {subject.pk}"


def _short(text: str, letters: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
