"""End the sessions of a person."""

from __future__ import annotations

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotate.models import User


def end_sessions(person: User) -> int:
    """Sign the person out of every browser, and return how many sessions have ended.

    Each session is read, since only its data says whose it is. A browser deletes the work pages
    that it keeps when it next shows a page for visitors (static/js/offline/forget.js).
    """
    ended = 0
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(person.pk):
            SessionStore(session.session_key).delete()
            ended += 1
    return ended
