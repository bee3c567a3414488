"""Let the demo's people have worked on earlier days, so that its charts have a past."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from django.utils import timezone

DAYS = 13


@contextmanager
def days_ago(days: float) -> Iterator[None]:
    """Let everything that is stored within be from so many days ago.

    Moves the clock that every field and service reads, `django.utils.timezone.now`. Captions and
    audit events can't be moved afterwards: the database refuses to change them.
    """
    shift = datetime.timedelta(days=days)

    class Earlier(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override]
            return datetime.datetime.now(tz) - shift

    with patch.object(timezone, "datetime", Earlier):
        yield
