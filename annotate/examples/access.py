"""Access to the examples of a guideline: admins of the project."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from annotate import access
from annotate.access import UserRequest
from annotate.examples.queries import finished_work, kinds_with_examples
from annotate.kinds import Kind
from annotate.models import (
    Assignment,
    Clip,
    GuidelineExample,
    GuidelineVersion,
    Membership,
    Role,
)

AnyModel = TypeVar("AnyModel", bound=Model)


def guideline(request: UserRequest, slug: str, kind: str) -> tuple[Membership, Kind]:
    membership = access.member(request, slug, Role.ADMIN)
    if kind not in kinds_with_examples(membership.project):
        raise Http404("This project has no such work.")
    return membership, Kind(kind)


def shown_example(request: UserRequest, slug: str, key: int) -> tuple[Membership, GuidelineExample]:
    membership = access.member(request, slug, Role.ADMIN)
    examples = GuidelineExample.objects.select_related("project", "clip__video")
    return membership, get_object_or_404(examples, pk=key, project=membership.project)


def version(request: UserRequest, slug: str, key: int) -> tuple[Membership, GuidelineVersion]:
    membership = access.member(request, slug, Role.ADMIN)
    versions = GuidelineVersion.objects.select_related("project")
    return membership, get_object_or_404(versions, pk=key, project=membership.project)


def source(
    request: UserRequest, membership: Membership, kind: str
) -> tuple[Clip, Assignment | None]:
    """Return the clip of a new example, and the finished work that the address names, if any."""
    query = request.GET
    if key := query.get("work", ""):
        work = _by_key(finished_work(membership, Kind(kind)), key)
        return work.item.clip, work
    clips = Clip.objects.filter(project=membership.project).select_related("video")
    return _by_key(clips, query.get("clip", "")), None


def _by_key(rows: QuerySet[AnyModel], key: str) -> AnyModel:
    if not key.isdecimal() or len(key) > 18:
        raise Http404("The address names no clip.")
    return get_object_or_404(rows, pk=int(key))
