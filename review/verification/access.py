"""Access to verifications."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import reviewer
from review.verification.models import Verification
from review.verification.queries import readable_verifications


def verification(
    request: UserRequest, slug: str, verification_id: int
) -> tuple[Membership, Verification]:
    """Return a verification that this person may read, because they can no longer verify the
    caption themselves.
    """
    membership = reviewer(request, slug)
    readable = readable_verifications(membership, by_anyone=True).for_page()
    return membership, get_object_or_404(readable, pk=verification_id)
