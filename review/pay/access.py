"""Access to pay: everybody reads their own statements, admins read and change all."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership, User
from review.access import admin
from review.pay.models import PayStatement
from review.pay.queries import paid_members
from review.spot_checks.models import SpotCheck


def paid_person(request: UserRequest, slug: str, person_id: int) -> tuple[Membership, User]:
    """Return a member, or a person who has left and has entries, for an admin."""
    membership = admin(request, slug)
    return membership, get_object_or_404(paid_members(membership.project), pk=person_id)


def spot_check(request: UserRequest, slug: str, check_id: int) -> SpotCheck:
    project = admin(request, slug).project
    return get_object_or_404(SpotCheck, pk=check_id, project=project)


def statement_in(membership: Membership, statement_id: int) -> PayStatement:
    """Return the person's own statement in the project, or for an admin anybody's; 403 for another
    person's."""
    statements = PayStatement.objects.select_related("person", "project", "approved_by")
    statement = get_object_or_404(statements, pk=statement_id, project=membership.project)
    if not membership.is_admin and statement.person_id != membership.user_id:
        raise PermissionDenied("This statement belongs to somebody else.")
    return statement
