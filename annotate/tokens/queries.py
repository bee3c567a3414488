"""Which tokens a person has, and whose a token is."""

from __future__ import annotations

import hashlib

from django.db.models import QuerySet
from django.utils import timezone

from annotate.models import ApiToken, Membership


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def usable_tokens(membership: Membership) -> QuerySet[ApiToken]:
    """Return the member's tokens that are neither revoked nor expired, newest first."""
    return membership.tokens.filter(revoked_at=None, expires_at__gt=timezone.now())


def find_token(token: str) -> ApiToken | None:
    """Return the usable token with its person and project."""
    usable = ApiToken.objects.filter(
        token_hash=hash_token(token),
        revoked_at=None,
        expires_at__gt=timezone.now(),
        membership__user__is_active=True,
        membership__deactivated_at=None,
    )
    return usable.select_related("membership__project", "membership__user").first()
