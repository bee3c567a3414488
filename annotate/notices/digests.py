"""Mail each person their waiting notices, at most once a day.

A digest is taken before it is sent: once that is committed, its notices no longer wait. So a
process that dies sends nothing twice, and the notices it had taken are only in the app. If the mail
server fails, the notices wait for a later run.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from smtplib import SMTPException, SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from annotate.models import Notice, NoticeChoices, User
from annotate.notices.queries import people_to_mail, to_mail

logger = logging.getLogger(__name__)

BETWEEN_DIGESTS = timedelta(days=1)
FIRST_WAIT, MAX_WAIT = timedelta(minutes=5), timedelta(days=1)
# Older notices are not mailed: sending failed too long, or the site had no mail then.
MAILED_WITHIN = timedelta(days=7)


@dataclass(frozen=True)
class Digest:
    """The notices that one person is sent."""

    person: User
    notices: list[Notice]


@dataclass(frozen=True)
class SentDigests:
    """How many digests were sent and failed. `problem` is the last error of the server."""

    sent: int = 0
    failed: int = 0
    problem: str = ""


def send_digests() -> SentDigests:
    """Send every digest that is due. Safe to repeat, also concurrently. If the server fails, leave
    the others for the next run."""
    if not settings.VERICAP_SENDS_MAIL:
        return SentDigests()
    sent = failed = 0
    problem = ""
    for person_id in people_to_mail():
        digest = _take(person_id)
        if digest is None:
            continue
        try:
            digest_mail(digest).send()
        except (SMTPException, OSError) as error:
            logger.warning("A digest for person %s was not sent: %s", person_id, error)
            _restore(digest)
            failed, problem = failed + 1, str(error)
            if not isinstance(error, SMTPRecipientsRefused):
                break
        else:
            NoticeChoices.objects.filter(person=person_id).update(mail_failures=0)
            sent += 1
    return SentDigests(sent, failed, problem)


def digest_mail(digest: Digest) -> EmailMessage:
    """Return the digest as a plain text."""
    site = settings.VERICAP_SITE
    count = len(digest.notices)
    preferences = site + reverse("annotate:notice_choices")
    body = render_to_string(
        "annotate/notices/digest.txt",
        {"digest": digest, "site": site, "preferences": preferences},
    )
    return EmailMessage(
        subject=f"Vericap: {count} {'notice' if count == 1 else 'notices'}",
        body=f"{body.strip()}\n",
        to=[digest.person.email],
        headers={"List-Unsubscribe": f"<{preferences}>", "Auto-Submitted": "auto-generated"},
    )


@transaction.atomic
def _take(person_id: int) -> Digest | None:
    """Take what waits for the person, so that nothing else sends it."""
    person = User.objects.filter(pk=person_id, is_active=True).first()
    if person is None:
        return None
    NoticeChoices.objects.get_or_create(person=person)
    choices = NoticeChoices.objects.select_for_update().get(person=person)
    now = timezone.now()
    if choices.next_mail_at and choices.next_mail_at > now:
        return None  # another process has just taken it
    digest = Digest(person, to_mail(person, choices.off_by_mail, MAILED_WITHIN))
    Notice.objects.filter(person=person, needs_mail=True).update(needs_mail=False)
    if not digest.notices:
        return None
    choices.next_mail_at = now + BETWEEN_DIGESTS
    choices.save(update_fields=["next_mail_at"])
    return digest


@transaction.atomic
def _restore(digest: Digest) -> None:
    """Have the notices wait again, longer after each failure in a row."""
    choices = NoticeChoices.objects.select_for_update().get(person=digest.person)
    keys = [notice.pk for notice in digest.notices]
    Notice.objects.filter(pk__in=keys).update(needs_mail=True)
    wait = min(FIRST_WAIT * 2 ** min(choices.mail_failures, 10), MAX_WAIT)
    choices.mail_failures = min(choices.mail_failures + 1, 100)
    choices.next_mail_at = timezone.now() + wait
    choices.save(update_fields=["mail_failures", "next_mail_at"])
