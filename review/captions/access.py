"""The access of views to model captions."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin
from review.captions.models import CaptionSet


def caption_set(request: UserRequest, slug: str, set_id: int) -> tuple[Membership, CaptionSet]:
    membership = admin(request, slug)
    sets = CaptionSet.objects.select_related("run__model", "created_by")
    caption_set = get_object_or_404(sets, pk=set_id, project=membership.project)
    caption_set.project = membership.project
    return membership, caption_set
