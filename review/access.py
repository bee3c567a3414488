"""Which people may do what in a project."""

from __future__ import annotations

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from annotate.access import ROLES_FOR_KIND, member
from annotate.models import Membership, Role, WorkItem


def reviewer(request: HttpRequest, slug: str) -> Membership:
    """Somebody who may see how others work."""
    return member(request, slug, Role.ADMIN, Role.EXPERT, Role.REVIEWER)


def admin(request: HttpRequest, slug: str) -> Membership:
    return member(request, slug, Role.ADMIN)


def trainer(request: HttpRequest, slug: str) -> Membership:
    """Somebody who may keep the training set of the raters."""
    return member(request, slug, Role.ADMIN, Role.REVIEWER)


def rater(request: HttpRequest, slug: str) -> Membership:
    return member(request, slug, *ROLES_FOR_KIND[WorkItem.Kind.RATE])


def voter(request: HttpRequest, slug: str) -> Membership:
    return member(request, slug, *ROLES_FOR_KIND[WorkItem.Kind.COMPARE])


def prompt_editor(request: HttpRequest, slug: str) -> Membership:
    """Somebody who may change what text models are told."""
    return member(request, slug, Role.ADMIN, Role.EXPERT)


def work_item(request: HttpRequest, slug: str, item_id: int) -> tuple[Membership, WorkItem]:
    membership = admin(request, slug)
    return membership, get_object_or_404(WorkItem, pk=item_id, project=membership.project)
