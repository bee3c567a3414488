"""How views get a takedown."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.access import clip as clip_of
from annotate.models import Clip, Membership
from review import access
from review.frozen.takedowns import Takedown
from review.takedowns.queries import takedowns_of


def takedown(request: UserRequest, slug: str, takedown_id: int) -> tuple[Membership, Takedown]:
    membership = access.admin(request, slug)
    rows = takedowns_of(membership.project)
    return membership, get_object_or_404(rows, pk=takedown_id)


def clip(request: UserRequest, slug: str, clip_id: int) -> tuple[Membership, Clip]:
    membership = access.admin(request, slug)
    return membership, clip_of(request, slug, clip_id)[1]
