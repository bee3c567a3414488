"""Access to members, whether active or not."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.models import Membership


def member_of_any_state(slug: str, membership_id: int) -> Membership:
    memberships = Membership.with_deactivated.select_related("user", "project")
    return get_object_or_404(memberships, pk=membership_id, project__slug=slug)
