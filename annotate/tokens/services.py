"""Make and revoke tokens."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.models import ApiToken, Membership
from annotate.tokens.queries import hash_token, usable_tokens

# Lets people and secret scanners recognize a token in a file.
PREFIX = "vericap_"
MAX_TOKENS = 20
# The page shows when a token was last used; frequent requests don't each need an UPDATE.
USE_IS_STORED_AFTER = timedelta(minutes=5)


@transaction.atomic
def make_token(
    *, membership: Membership, name: str, scope: ApiToken.Scope, days: int
) -> tuple[ApiToken, str]:
    """Make a token for the member; its text is returned once and stored only as its hash."""
    Membership.objects.select_for_update().get(pk=membership.pk)
    if scope == ApiToken.Scope.ADMIN and not membership.is_admin:
        raise AnnotateError("Only admins can make a token that administers. Choose another scope.")
    if usable_tokens(membership).count() >= MAX_TOKENS:
        raise AnnotateError(f"You have {MAX_TOKENS} tokens. Revoke one first.")
    text = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        membership=membership,
        name=name,
        scope=scope,
        token_hash=hash_token(text),
        beginning=text[: len(PREFIX) + 4],
        expires_at=timezone.now() + timedelta(days=days),
    )
    record_event(
        actor=membership.user,
        verb="make token",
        subject=token,
        project=membership.project,
        after={"name": name, "scope": scope, "expires_at": token.expires_at.isoformat()},
    )
    return token, text


@transaction.atomic
def revoke_token(*, token: ApiToken) -> None:
    """End the token now. Revoking it again changes nothing."""
    if not ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        return
    membership = token.membership
    record_event(
        actor=membership.user, verb="revoke token", subject=token, project=membership.project
    )


def note_use(token: ApiToken) -> None:
    """Store that the token was used, at most once in five minutes."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - USE_IS_STORED_AFTER:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
