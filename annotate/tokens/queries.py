"""Which tokens a person has, and whose a token is."""

from __future__ import annotations

import hashlib
from typing import cast

from django.db.models import QuerySet
from django.utils import timezone

from annotate.models import ApiToken, Membership, Project, User
from annotate.sql import Statement, all_columns, models_of


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def usable_tokens(membership: Membership) -> QuerySet[ApiToken]:
    """Return the member's tokens that are neither revoked nor expired, newest first."""
    return membership.tokens.filter(revoked_at=None, expires_at__gt=timezone.now())


OF_TOKEN = (
    all_columns("t", ApiToken),
    all_columns("m", Membership),
    all_columns("p", Project),
    all_columns("u", User),
)
TOKEN = Statement(f"""
    SELECT {", ".join(map(str, OF_TOKEN))}
    FROM annotate_apitoken t
    JOIN annotate_membership m ON m.id = t.membership_id
    JOIN annotate_project p ON p.id = m.project_id
    JOIN annotate_user u ON u.id = m.user_id
    WHERE t.token_hash = %(token_hash)s AND t.revoked_at IS NULL AND t.expires_at > %(now)s
    AND u.is_active AND m.deactivated_at IS NULL
""")


def find_token(token: str) -> ApiToken | None:
    """Return the usable token with its person and project, in one query."""
    row = TOKEN.row(token_hash=hash_token(token), now=timezone.now())
    if row is None:
        return None
    usable, membership, membership.project, membership.user = models_of(row, *OF_TOKEN)
    usable.membership = membership
    return cast(ApiToken, usable)
