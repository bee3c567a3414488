"""Sentences verified, and the elements of captions."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from annotate.access import own_assignment
from annotate.models import Assignment, Caption, Membership, WorkItem
from review.access.members import admin, judge
from review.verification.models import Verification
from review.verification.queries import readable_verifications


def verification(
    request: HttpRequest, slug: str, verification_id: int
) -> tuple[Membership, Verification]:
    """One that this person may read: of a caption that they can't verify themselves any more."""
    membership = judge(request, slug)
    readable = readable_verifications(membership).for_page()
    return membership, get_object_or_404(readable, pk=verification_id)


def proposed_correction(
    request: HttpRequest, slug: str, caption_id: int
) -> tuple[Membership, Caption]:
    """A caption of the project. What of it may be read, and whether there is anything to decide,
    say review.corrections.queries."""
    membership = judge(request, slug)
    captions = Caption.objects.select_related("clip__video").filter(project=membership.project)
    return membership, get_object_or_404(captions, pk=caption_id)


def own_elements(request: HttpRequest, assignment_id: int) -> Assignment:
    assignment = own_assignment(request, assignment_id)
    if assignment.item.kind != WorkItem.Kind.ELEMENTS:
        raise Http404("This work is about no elements.")
    return assignment


def work_item(request: HttpRequest, slug: str, item_id: int) -> tuple[Membership, WorkItem]:
    membership = admin(request, slug)
    return membership, get_object_or_404(WorkItem, pk=item_id, project=membership.project)
