"""Access to threshold studies."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin
from review.studies.models import Study


def threshold_study(request: UserRequest, slug: str, study_id: int) -> tuple[Membership, Study]:
    membership = admin(request, slug)
    studies = Study.objects.filter(project=membership.project, kind=Study.Kind.THRESHOLD)
    return membership, get_object_or_404(studies, pk=study_id)
