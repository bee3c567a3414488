"""How views get a release."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest, member
from annotate.models import Membership
from review.frozen.models import Release


def release(request: UserRequest, slug: str, version: str) -> tuple[Membership, Release]:
    membership = member(request, slug)
    return membership, release_of(membership, version)


def release_of(membership: Membership, version: str) -> Release:
    release = get_object_or_404(Release, project=membership.project, version=version)
    release.project = membership.project
    return release
