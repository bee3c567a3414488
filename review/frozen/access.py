"""How views get a release."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest, member
from annotate.models import Membership
from review.access import reviewer
from review.frozen.models import Release


def release(request: UserRequest, slug: str, version: str) -> tuple[Membership, Release]:
    membership = member(request, slug)
    found = get_object_or_404(Release, project=membership.project, version=version)
    found.project = membership.project
    return membership, found


def judged_release(request: UserRequest, slug: str, version: str) -> tuple[Membership, Release]:
    """A release, for somebody who may see how models do on it."""
    membership = reviewer(request, slug)
    return membership, release(request, slug, version)[1]
