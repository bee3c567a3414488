"""How views get the work of identifying clips."""

from __future__ import annotations

from django.http import Http404

from annotate.access import UserRequest, own_assignment
from annotate.models import Assignment, WorkItem


def own_identification(request: UserRequest, assignment_id: int) -> Assignment:
    assignment = own_assignment(request, assignment_id)
    if assignment.item.kind != WorkItem.Kind.IDENTIFY:
        raise Http404("This work has no clips to pick from.")
    return assignment
