"""Access to candidates."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate import access
from annotate.access import UserRequest
from annotate.models import Candidate, Membership, Role


def candidate(request: UserRequest, slug: str, candidate_id: int) -> tuple[Membership, Candidate]:
    membership = access.member(request, slug, Role.ADMIN)
    rows = Candidate.objects.select_related("video", "project", "cut", "decided_by")
    return membership, get_object_or_404(rows, pk=candidate_id, project=membership.project)
