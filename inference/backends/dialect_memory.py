"""Remembers the dialect of a server for a model, so that later workers needn't learn it again."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import TypedDict

from django.utils import timezone

from inference.backends.dialects import LIMITS, Dialect
from inference.backends.reply_formats import FORMATS
from inference.backends.servers import ModelServer
from inference.models import ServerDialect

# Servers are updated, so after this time everything is tried again, at the cost of a refused
# request for each parameter.
MAX_AGE = timedelta(days=7)


class Key(TypedDict):
    server: str
    url_sha256: str
    model_id: str


class StoredDialect:
    """The memory for one model on one server, in this process and in the database.

    A server with other addresses counts as a new server.
    """

    def __init__(self, server: ModelServer, model_id: str) -> None:
        self._key: Key = {
            "server": server.name,
            "url_sha256": hashlib.sha256(
                " ".join([server.url, *server.other_urls]).encode()
            ).hexdigest(),
            "model_id": model_id,
        }
        self._kept: tuple[Dialect, datetime] | None = None

    def recall(self) -> Dialect | None:
        if self._kept is None:
            row = ServerDialect.objects.filter(**self._key).first()
            # A later version can have stored a format or a name that this version doesn't know.
            if row is not None and row.limit in LIMITS and row.reply_format in {"", *FORMATS}:
                accepted = next((name for name in FORMATS if name == row.reply_format), None)
                dialect = Dialect(row.limit, tuple(row.left_out), accepted)
                self._kept = dialect, row.learned_at
        if self._kept is None or self._kept[1] < timezone.now() - MAX_AGE:
            return None
        return self._kept[0]

    def keep(self, dialect: Dialect) -> None:
        now = timezone.now()
        ServerDialect.objects.update_or_create(
            **self._key,
            defaults={
                "limit": dialect.limit,
                "left_out": list(dialect.left_out),
                "reply_format": dialect.reply_format or "",
                "learned_at": now,
            },
        )
        self._kept = dialect, now
