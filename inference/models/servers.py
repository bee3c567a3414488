"""Known properties of model servers, for all projects."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class ServerReplyFormat(models.Model):
    """The strictest format of a JSON reply that a server accepts for a model.

    `url_sha256` is the hash of the server's URL, so that a new URL counts as a new server.
    """

    server = models.CharField(max_length=100)
    url_sha256 = models.CharField(max_length=64)
    model_id = models.CharField(max_length=200)
    reply_format = models.CharField(max_length=20)
    learned_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["server", "url_sha256", "model_id"], name="reply_format_once_per_model"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model_id} on {self.server}: {self.reply_format}"
