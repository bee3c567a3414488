"""What participants may take: the kinds and numbers of items that their panel offers."""

from __future__ import annotations

from django.urls import reverse

from annotate.models import Membership
from annotate.queue.work_kinds import Closed
from review.panels.models import Participant
from review.panels.queries import done_of, participation
from review.quality.queries import has_failed


def gate(membership: Membership, kind: str) -> Closed | None:
    """Return why a participant can't take work of the kind, with the way back to their panel. For
    others it takes no query."""
    if not membership.user.is_participant:
        return None
    participant = participation(membership.project, membership.user)
    if participant is None:
        return None
    if reason := _reason(membership, participant, kind):
        address = reverse("review:own_panel", args=[membership.project.slug])
        return Closed(reason, url=address, label="Continue")
    return None


def _reason(membership: Membership, participant: Participant, kind: str) -> str:
    number = participant.panel.items.get(kind, 0)
    if not number:
        return "This study has no such work."
    if participant.outcome or participant.is_overdue:
        return "Your part of this study is over."
    if done_of(participant).by_kind.get(kind, 0) >= number:
        return f"You have finished your {number} item{'' if number == 1 else 's'}."
    if has_failed(membership.project, membership.user, kind):
        return "You have used all tries of the training."
    return ""
