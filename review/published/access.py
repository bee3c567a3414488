"""The access of views to imports of human captions."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin
from review.published.models import HumanImport


def human_import(request: UserRequest, slug: str, import_id: int) -> tuple[Membership, HumanImport]:
    """Return a checked file without errors, imported or not."""
    membership, chosen = checked_file(request, slug, import_id)
    if "faults" in chosen.preview:
        raise Http404("This file has errors.")
    chosen.project = membership.project
    return membership, chosen


def checked_file(request: UserRequest, slug: str, import_id: int) -> tuple[Membership, HumanImport]:
    """Return a checked file, valid or not."""
    membership = admin(request, slug)
    imports = HumanImport.objects.defer("content").select_related("created_by")
    return membership, get_object_or_404(imports, pk=import_id, project=membership.project)
