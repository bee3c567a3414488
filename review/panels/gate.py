"""The kinds and numbers of items that a panel offers its participants."""

from __future__ import annotations

from django.urls import reverse

from annotate.models import Membership
from annotate.queue.work_kinds import Closed
from review.panels.models import Panel, Participant
from review.panels.queries import done_of, outcome_of, participation
from review.quality.training import has_failed

FAILED = "You have used all tries of the training."
Outcome = Participant.Outcome


def gate(membership: Membership, kind: str) -> Closed | None:
    """Return why a participant can't take work of the kind, with the way back to their panel. For
    others it takes no query."""
    if not membership.user.is_participant:
        return None
    participant = participation(membership.project, membership.user)
    if participant is None:
        return None
    panel, done = participant.panel, done_of(participant)
    panel.project, participant.person = membership.project, membership.user
    address = reverse("review:own_panel", args=[membership.project.slug])
    if outcome := outcome_of(participant, done):
        label = "Get your code" if panel.code_for(outcome) else "Continue"
        return Closed(_end(panel, outcome), url=address, label=label, ends_all=True)
    number = panel.items.get(kind, 0)
    if not number:
        reason = "This study has no such work."
        return Closed(reason, url=address, label="Continue", is_hidden=True)
    if done.by_kind.get(kind, 0) >= number:
        return Closed(_finished(number), url=address, label="Continue")
    if has_failed(membership.project, membership.user, kind):
        return Closed(FAILED, url=address, label="Continue")
    return None


def _end(panel: Panel, outcome: str) -> str:
    if outcome == Outcome.SCREENED_OUT:
        return FAILED
    if outcome == Outcome.COMPLETED:
        return _finished(panel.items_per_person)
    return "Your part of this study is over."


def _finished(number: int) -> str:
    return f"You have finished your {number} item{'' if number == 1 else 's'}."
