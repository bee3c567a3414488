"""Access to videos about which people disagree."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate import access
from annotate.access import UserRequest
from annotate.models import Membership, Role, Video


def video_to_settle(request: UserRequest, slug: str, video_id: int) -> tuple[Membership, Video]:
    membership = access.member(request, slug, Role.ADMIN)
    videos = Video.objects.filter(project=membership.project)
    return membership, get_object_or_404(videos, pk=video_id)
