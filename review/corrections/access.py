"""How views get a caption with proposed corrections."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Caption, Membership
from review.access import reviewer


def proposed_correction(
    request: UserRequest, slug: str, caption_id: int
) -> tuple[Membership, Caption]:
    """Return a caption of the project. review.corrections.queries decide what can be read of it,
    and whether a decision is open."""
    membership = reviewer(request, slug)
    captions = Caption.objects.select_related("clip__video").filter(project=membership.project)
    return membership, get_object_or_404(captions, pk=caption_id)
