"""Access to saved views."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate import access
from annotate.access import UserRequest
from annotate.models import SavedView


def own_view(request: UserRequest, slug: str, saved_view_id: int) -> SavedView:
    membership = access.member(request, slug)
    views = SavedView.objects.filter(project=membership.project, owner=request.user)
    return get_object_or_404(views, pk=saved_view_id)
