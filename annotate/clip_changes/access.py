"""Access to changes of many clips."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from annotate import access
from annotate.access import UserRequest
from annotate.clip_changes.actions import ACTIONS
from annotate.models import ClipChange, Membership, Role


def clip_change(
    request: UserRequest, slug: str, change_id: int, *, undoes: bool = False
) -> tuple[Membership, ClipChange]:
    """Return a change of the project. `undoes`: the member must be able to take its action."""
    membership = access.member(request, slug, Role.ADMIN, Role.EXPERT)
    changes = ClipChange.objects.select_related("made_by", "job", "project")
    change = get_object_or_404(changes, pk=change_id, project=membership.project)
    roles = ACTIONS[ClipChange.Action(change.action)].roles
    if undoes and not membership.has_role(*roles):
        raise PermissionDenied(f"This needs the role {' or '.join(roles)} in the project.")
    return membership, change
