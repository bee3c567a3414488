"""Who can do what in a project."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest, member
from annotate.kinds import kind_facts
from annotate.models import Membership, Role, WorkItem


def reviewer(request: UserRequest, slug: str) -> Membership:
    """Return the membership of a person who can see how others work."""
    return member(request, slug, Role.ADMIN, Role.EXPERT, Role.REVIEWER)


def admin(request: UserRequest, slug: str) -> Membership:
    return member(request, slug, Role.ADMIN)


def trainer(request: UserRequest, slug: str) -> Membership:
    """Return the membership of a person who can edit the raters' training set."""
    return member(request, slug, Role.ADMIN, Role.REVIEWER)


def rater(request: UserRequest, slug: str) -> Membership:
    return member(request, slug, *kind_facts("rate").roles)


def voter(request: UserRequest, slug: str) -> Membership:
    return member(request, slug, *kind_facts("compare").roles)


def prompt_editor(request: UserRequest, slug: str) -> Membership:
    """Return the membership of a person who can edit the prompts of text models."""
    return member(request, slug, Role.ADMIN, Role.EXPERT)


def work_item(request: UserRequest, slug: str, item_id: int) -> tuple[Membership, WorkItem]:
    membership = admin(request, slug)
    return membership, get_object_or_404(WorkItem, pk=item_id, project=membership.project)
