"""Tokens with which a person's programs use the API."""

from __future__ import annotations

from django.db import models

from annotate.models.dated import Dated
from annotate.models.people import Membership


class ApiToken(Dated):
    """A person's key to the API of one project, with their roles there. Only its hash is stored.

    It is deleted with the membership.
    """

    class Scope(models.TextChoices):
        READ = "read", "Read"
        WORK = "work", "Read and work"
        ADMIN = "admin", "Read, work and administer"

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80)
    scope = models.CharField(max_length=5, choices=Scope.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    beginning = models.CharField(max_length=12, help_text="shown, to tell tokens apart")
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.beginning}…)"

    def allows(self, scope: str) -> bool:
        """Return whether the token may be used for what needs `scope`."""
        scopes = self.Scope.values
        return scopes.index(self.scope) >= scopes.index(scope)
