"""How views get the work of identifying clips, and who sees the page of the tests."""

from __future__ import annotations

from django.http import Http404

from annotate.access import UserRequest, own_assignment
from annotate.models import Assignment, Membership, Project, WorkItem


def own_identification(request: UserRequest, assignment_id: int) -> Assignment:
    assignment = own_assignment(request, assignment_id)
    if assignment.item.kind != WorkItem.Kind.IDENTIFY:
        raise Http404("This work has no clips to pick from.")
    return assignment


def only_carebench(membership: Membership) -> Membership:
    """Return the membership; raise 404 in a project whose clips have no texts to identify them."""
    if membership.project.protocol != Project.Protocol.CAREBENCH:
        raise Http404("Only a project with the protocol CaReBench has tests of identification.")
    return membership
