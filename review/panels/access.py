"""Access to panels: admins read and change them, participants see their own part."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from annotate.access import UserRequest, member
from annotate.models import Membership
from review.access import admin
from review.panels.models import Panel, Participant
from review.panels.queries import participation


def panel(request: UserRequest, slug: str, panel_id: int) -> tuple[Membership, Panel]:
    membership = admin(request, slug)
    chosen = get_object_or_404(Panel, pk=panel_id, project=membership.project)
    chosen.project = membership.project
    return membership, chosen


def participant(
    request: UserRequest, slug: str, participant_id: int
) -> tuple[Membership, Participant]:
    membership = admin(request, slug)
    participants = Participant.objects.select_related("panel__project", "person")
    return membership, get_object_or_404(
        participants, pk=participant_id, panel__project=membership.project
    )


def own_part(request: UserRequest, slug: str) -> tuple[Membership, Participant]:
    """Return the person's place in a panel; 403 for members who joined otherwise."""
    membership = member(request, slug)
    own = participation(membership.project, request.user)
    if own is None:
        raise PermissionDenied("You did not join this project by a panel.")
    own.panel.project, own.person = membership.project, request.user
    return membership, own
