"""How views get the work on a label pair."""

from __future__ import annotations

from django.http import Http404

from annotate.access import UserRequest, own_assignment
from annotate.models import Assignment


def own_pair_verdict(request: UserRequest, assignment_id: int) -> Assignment:
    """Return the signed-in person's judgment of a label pair."""
    assignment = own_assignment(request, assignment_id, "pair")
    if assignment.state != Assignment.State.SUBMITTED:
        raise Http404("This is not a label pair that you judged.")
    return assignment
