"""Releases and the formats that they come in."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from annotate.access import member
from annotate.models import Membership
from review.access.members import judge
from review.frozen.models import Release
from review.releases.formats import FORMATS


def release(request: HttpRequest, slug: str, version: str) -> tuple[Membership, Release]:
    membership = member(request, slug)
    found = get_object_or_404(Release, project=membership.project, version=version)
    found.project = membership.project
    return membership, found


def release_format(
    request: HttpRequest, slug: str, version: str, format_name: str
) -> tuple[Membership, Release]:
    membership, found = release(request, slug, version)
    if format_name not in FORMATS:
        raise Http404("No such format.")
    return membership, found


def judged_release(request: HttpRequest, slug: str, version: str) -> tuple[Membership, Release]:
    """A release, for somebody who may see how models do on it."""
    membership = judge(request, slug)
    return membership, release(request, slug, version)[1]
