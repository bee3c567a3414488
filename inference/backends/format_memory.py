"""Remembers which format of a JSON reply a server accepts, so that later workers
needn't try again.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import TypedDict

from django.utils import timezone

from inference.backends.reply_formats import FORMATS, ReplyFormat
from inference.backends.servers import ModelServer
from inference.models import ServerReplyFormat

# Servers are updated, so after this time the strictest format is tried again, at the cost of one
# refused request.
MAX_AGE = timedelta(days=7)


class Key(TypedDict):
    server: str
    url_sha256: str
    model_id: str


class StoredFormats:
    """The memory for one model on one server, in this process and in the database.

    A server with a new address counts as a new server.
    """

    def __init__(self, server: ModelServer, model_id: str) -> None:
        self._key: Key = {
            "server": server.name,
            "url_sha256": hashlib.sha256(server.url.encode()).hexdigest(),
            "model_id": model_id,
        }
        self._kept: tuple[ReplyFormat, datetime] | None = None

    def recall(self) -> ReplyFormat | None:
        if self._kept is None:
            row = ServerReplyFormat.objects.filter(**self._key).first()
            # A later version can have stored a format that this version doesn't know.
            if row is not None and row.reply_format in FORMATS:
                self._kept = row.reply_format, row.learned_at
        if self._kept is None or self._kept[1] < timezone.now() - MAX_AGE:
            return None
        return self._kept[0]

    def keep(self, reply_format: ReplyFormat) -> None:
        now = timezone.now()
        ServerReplyFormat.objects.update_or_create(
            **self._key, defaults={"reply_format": reply_format, "learned_at": now}
        )
        self._kept = reply_format, now
