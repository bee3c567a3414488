"""Every change of panels by admins."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import TypedDict

from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.consent.queries import withdrawn_members
from annotate.models import Project, User
from annotate.tokens.queries import hash_token
from review.errors import ReviewError
from review.panels.joining import settle
from review.panels.models import Panel, Participant

Decision = Participant.Decision
STILL_WORKING = "{person} is still working. Decide once their part has ended."


class PanelValues(TypedDict):
    """An admin's settings, checked by the form."""

    name: str
    items: Mapping[str, int]
    places: int
    minutes: int | None
    id_parameter: str
    study_parameter: str
    session_parameter: str
    completed_code: str
    screened_out_code: str
    out_of_time_code: str
    unfinished_code: str
    no_work_code: str
    return_address: str
    asks_signature: bool
    expires_at: datetime | None


@transaction.atomic
def make_panel(*, project: Project, admin: User, values: PanelValues) -> tuple[Panel, str]:
    """Make a panel; its token is returned once and stored only as its hash."""
    token = secrets.token_urlsafe(24)
    panel = Panel.objects.create(
        project=project, created_by=admin, token_hash=hash_token(token), **values
    )
    record_event(
        actor=admin, verb="make panel", subject=panel, project=project, after=_told(values)
    )
    return panel, token


@transaction.atomic
def change_panel(*, panel: Panel, admin: User, values: PanelValues) -> Panel:
    """Change what the panel offers, also for people who have joined. Raises ReviewError."""
    changed = _locked(panel)
    if changed.closed_at:
        raise ReviewError("This panel is closed. Make a new one.")
    before = {name: getattr(changed, name) for name in values}
    for name, value in values.items():
        setattr(changed, name, value)
    changed.save(update_fields=list(values))
    record_event(
        actor=admin,
        verb="change panel",
        subject=changed,
        project=changed.project,
        before=_told(before),
        after=_told(values),
    )
    return changed


@transaction.atomic
def renew_link(*, panel: Panel, admin: User) -> tuple[Panel, str]:
    """Give the panel a new link; the former one no longer works. Raises ReviewError."""
    renewed = _locked(panel)
    if renewed.closed_at:
        raise ReviewError("This panel is closed, so it has no link. Make a new one.")
    token = secrets.token_urlsafe(24)
    renewed.token_hash = hash_token(token)
    renewed.save(update_fields=["token_hash"])
    record_event(actor=admin, verb="renew panel link", subject=renewed, project=renewed.project)
    return renewed, token


@transaction.atomic
def close_panel(*, panel: Panel, admin: User) -> None:
    """Close the panel to new people; those who have joined can finish. Safe to repeat."""
    if Panel.objects.filter(pk=panel.pk, closed_at=None).update(closed_at=timezone.now()):
        record_event(actor=admin, verb="close panel", subject=panel, project=panel.project)


@transaction.atomic
def decide(*, participant: Participant, decision: str, reason: str, admin: User) -> Participant:
    """Approve or reject a participant's part after it has ended; a rejection needs a reason. Raises
    ReviewError."""
    decided = _settled(participant)
    reason = reason.strip()
    if decision not in Decision.values:
        raise ReviewError("Choose: approve or reject.")
    if not decided.outcome:
        raise ReviewError(STILL_WORKING.format(person=decided.person))
    if decision == Decision.REJECTED and not reason:
        raise ReviewError("Say why you reject it: the panel asks for the reason.")
    before = {"decision": decided.decision, "reason": decided.reason}
    decided.decision, decided.reason = decision, reason
    decided.decided_by, decided.decided_at = admin, timezone.now()
    decided.save(update_fields=["decision", "reason", "decided_by", "decided_at"])
    record_event(
        actor=admin,
        verb="decide about participant",
        subject=decided,
        project=decided.panel.project,
        before=before,
        after={"decision": decision, "reason": reason},
    )
    return decided


@transaction.atomic
def delete_external_ids(*, participant: Participant, admin: User) -> None:
    """Delete the ids of the panel's that identify the person. Their work and place stay, and they
    can't come back by the link. Raises ReviewError while they still work, unless they withdrew
    their consent. Safe to repeat."""
    chosen = _settled(participant)
    withdrawals = withdrawn_members(chosen.panel.project).filter(person=chosen.person)
    if not chosen.outcome and not withdrawals.exists():
        raise ReviewError(f"{chosen.person} is still working. Delete the id once they have ended.")
    if not chosen.external_id:
        return
    chosen.external_id = chosen.study_id = chosen.session_id = ""
    chosen.save(update_fields=["external_id", "study_id", "session_id"])
    record_event(
        actor=admin, verb="delete external id", subject=chosen, project=chosen.panel.project
    )


def _locked(panel: Panel) -> Panel:
    panels = Panel.objects.select_related("project").select_for_update(of=("self",))
    return panels.get(pk=panel.pk)


def _settled(participant: Participant) -> Participant:
    """Lock the participant, and store how their part ended if they did not look again."""
    participants = Participant.objects.select_related("panel__project", "person")
    locked = participants.select_for_update(of=("self",)).get(pk=participant.pk)
    return settle(participant=locked)


def _told(values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }
