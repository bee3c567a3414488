"""Known properties of model servers, for all projects."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class ServerDialect(models.Model):
    """Which parameters a server takes for a model, as its refusals say.

    `url_sha256` is the hash of the server's URL, so that a new URL counts as a new server.
    `reply_format` is the strictest format of a JSON reply that it accepts, "" if it wasn't asked.
    """

    server = models.CharField(max_length=100)
    url_sha256 = models.CharField(max_length=64)
    model_id = models.CharField(max_length=200)
    limit = models.CharField(max_length=40, default="max_tokens", help_text="name of max tokens")
    left_out = models.JSONField(default=list, help_text="parameters that it refuses")
    reply_format = models.CharField(max_length=20, blank=True)
    learned_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["server", "url_sha256", "model_id"], name="dialect_once_per_model"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model_id} on {self.server}"
