"""How views get the work of checking elements."""

from __future__ import annotations

from django.http import Http404

from annotate.access import UserRequest, own_assignment
from annotate.models import Assignment, WorkItem


def own_elements(request: UserRequest, assignment_id: int) -> Assignment:
    assignment = own_assignment(request, assignment_id)
    if assignment.item.kind != WorkItem.Kind.ELEMENTS:
        raise Http404("This work has no elements.")
    return assignment
