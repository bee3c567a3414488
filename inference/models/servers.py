"""Known properties of model servers, for all projects."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotate.models import User
from annotate.models.dated import Dated


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


class RegisteredServer(Dated):
    """A model server that a superuser added on the site's page, beside those of the environment.

    `urls` has one address a line; all have the same models. `encrypted_key` is empty if the server
    needs no key. `parallel` limits the requests that one worker sends at once. `check_result`
    is what the last test of the connection learned.
    """

    class Kind(models.TextChoices):
        """The backends whose models it serves."""

        OPENAI_COMPATIBLE = "openai-compatible", "OpenAI-compatible"
        HTTP_PROTOCOL = "http-protocol", "Vericap’s protocol"

    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=40, choices=Kind, default=Kind.OPENAI_COMPATIBLE)
    urls = models.TextField(max_length=5000)
    encrypted_key = models.TextField(blank=True)
    parallel = models.PositiveSmallIntegerField(default=8)
    is_active = models.BooleanField(default=True)
    check_result = models.JSONField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    changed_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["name"], name="server_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class ServedModel(models.Model):
    """A model on a registered server, with what it costs. A null price is unknown."""

    server = models.ForeignKey(RegisteredServer, on_delete=models.CASCADE, related_name="models")
    model_id = models.CharField(max_length=200)
    input_price = models.DecimalField(
        "US dollars per million input tokens", max_digits=12, decimal_places=6, null=True
    )
    output_price = models.DecimalField(
        "US dollars per million output tokens", max_digits=12, decimal_places=6, null=True
    )
    picture_price = models.DecimalField(
        "US dollars per 1,000 pictures", max_digits=12, decimal_places=6, null=True
    )

    class Meta:
        ordering = ["model_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["server", "model_id"], name="served_model_once_per_server"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model_id} on {self.server_id}"
