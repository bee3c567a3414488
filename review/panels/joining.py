"""Participants' actions: join, take the next item, and end."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.agreed import ConsentMissing, consent_address, must_agree
from annotate.audit import record_event
from annotate.consent.services import agree
from annotate.models import Membership, Project, User, Webhook
from annotate.models.people import PANEL_DOMAIN
from annotate.queue.services.taking import take_work
from annotate.queue.work_kinds import WorkClosed
from annotate.webhooks.services.announcing import announce
from review.errors import ReviewError
from review.panels.links import link_of
from review.panels.models import Panel, Participant
from review.panels.queries import (
    Done,
    done_by,
    done_of,
    is_at_work,
    outcome_of,
    outcome_without_work,
    places_taken,
)


class PanelClosed(ReviewError):
    """Nobody can join by this link now; the message says why."""


def open_link(token: str) -> tuple[Panel, str]:
    """Return the panel of a link and the id that it is signed for, empty for a panel's one link.
    Raises PanelClosed if the link lets nobody in."""
    panel, signed_id = link_of(token)
    if panel is None or panel.project.archived_at:
        raise PanelClosed("This link is not valid any more. Go back to the page that led you here.")
    if panel.asks_signature and not signed_id:
        raise PanelClosed("This study takes personal links only. Open the one that you were sent.")
    return panel, signed_id


@transaction.atomic
def join_panel(
    *,
    token: str,
    external_id: str,
    study_id: str,
    session_id: str,
    consent_number: int | None,
    visitor: User | None = None,
) -> Participant:
    """Return the place of the person with this id; a new one at their first visit. A signed link
    counts in place of the id. `visitor`: the account that the browser is signed in to.

    Raises PanelClosed if nobody can join, if the place belongs to another session, or if their
    access was taken away; AnnotateError if they have to agree to the newest consent text, whose
    number the page shows.
    """
    # Locks the panel, so that one id can't get two places.
    list(Panel.objects.select_for_update().filter(pk=open_link(token)[0].pk).values("pk"))
    panel, signed_id = open_link(token)
    external_id = signed_id or external_id
    participants = Participant.objects.select_related("person", "panel__project")
    participant = participants.filter(panel=panel, external_id=external_id).first()
    if participant is not None:
        if not signed_id:
            _refuse_another_session(participant, session_id, visitor)
        _refuse_without_access(panel.project, participant.person)
        return participant
    if not panel.is_open:
        raise PanelClosed("This study is closed, so nobody else can join it.")
    settle_overdue(panel)
    if places_taken(panel) >= panel.places:
        raise PanelClosed("All places of this study are taken.")
    person = _person_of(panel, external_id)
    if must_agree(person, panel.project):
        agree(project=panel.project, person=person, number=consent_number or 0)
    participant = Participant.objects.create(
        panel=panel,
        person=person,
        external_id=external_id,
        study_id=study_id,
        session_id=session_id,
    )
    record_event(actor=person, verb="join panel", subject=participant, project=panel.project)
    return participant


def _person_of(panel: Panel, external_id: str) -> User:
    """Return the account that the id has in the project, or a new one with its membership."""
    earlier = Participant.objects.select_related("person").filter(
        panel__project=panel.project, external_id=external_id
    )
    if participant := earlier.first():
        _refuse_without_access(panel.project, participant.person)
        return participant.person
    # Counted under the panel's lock. Another panel can use the same number, which is only part of a
    # name.
    number = Participant.objects.filter(panel__project=panel.project).count() + 1
    person = User.objects.create_user(
        f"{secrets.token_hex(12)}@{PANEL_DOMAIN}", name=f"Participant {number}"
    )
    membership = Membership.objects.create(project=panel.project, user=person, is_annotator=True)
    slug = panel.project.slug
    announce(
        project=panel.project,
        event=Webhook.Event.MEMBER_JOINED,
        ids={"member": membership.pk, "roles": membership.roles},
        page=("annotate:members", [slug]),
        resource=("api:member", [slug, membership.pk]),
    )
    return person


def _refuse_another_session(
    participant: Participant, session_id: str, visitor: User | None
) -> None:
    """Refuse a browser that neither is signed in as the participant nor brings the session of the
    panel with which they joined: an id alone is known to others."""
    brings_session = bool(session_id) and session_id == participant.session_id
    if visitor != participant.person and not brings_session:
        raise PanelClosed(
            "This ID already takes part, in another browser or session. Continue there, or open "
            "the study again from the panel’s page."
        )


def _refuse_without_access(project: Project, person: User) -> None:
    if not person.is_active or not Membership.objects.filter(project=project, user=person).exists():
        raise PanelClosed("Your access to this study has ended. Ask the researchers.")


class Step(NamedTuple):
    """The next page of a participant, or the reason why they can't continue; both are empty once
    they have ended.
    """

    address: str = ""
    reason: str = ""


def next_step(*, participant: Participant, membership: Membership) -> Step:
    """Take the participant's next item, or lead them to the training or the consent text first."""
    if settle(participant=participant).outcome:
        return Step()
    if not is_at_work(participant) and places_taken(participant.panel) >= participant.panel.places:
        settle(participant=participant, has_no_work=True)
        return Step()
    own_page = reverse("review:own_panel", args=[membership.project.slug])
    reasons: list[str] = []
    for kind in done_of(participant).left(participant.panel):
        try:
            taken = take_work(membership=membership, kind=kind)
        except ConsentMissing:
            return Step(consent_address(membership.project, next=own_page))
        except WorkClosed as error:
            if error.closed.url not in ("", own_page):
                return Step(error.closed.url)
            if not error.closed.url:
                reasons.append(str(error))
            continue
        if taken is not None:
            return Step(reverse("annotate:work", args=[taken.pk]))
    if reasons:
        return Step(reason=reasons[0])
    settle(participant=participant, has_no_work=True)
    return Step()


@transaction.atomic
def settle(*, participant: Participant, has_no_work: bool = False) -> Participant:
    """Store how the person's part ended, once it has; it stays so. `has_no_work`: the project has
    nothing left for them. Safe to repeat."""
    participants = Participant.objects.select_related("panel__project", "person")
    settled = participants.select_for_update(of=("self",)).get(pk=participant.pk)
    if not settled.outcome:
        done = done_of(settled)
        outcome = outcome_of(settled, done)
        if has_no_work and not outcome:
            outcome = outcome_without_work(settled, done)
        if outcome:
            _end(settled, outcome)
    participant.outcome, participant.ended_at = settled.outcome, settled.ended_at
    return participant


def settle_overdue(panel: Panel) -> None:
    """Store the outcome of participants whose time is over, to free their places. Call inside a
    transaction that has locked the panel."""
    if panel.minutes is None:
        return
    working = Participant.objects.filter(panel=panel, outcome="")
    done = done_by(working)
    for participant in working.select_related("panel__project", "person"):
        if participant.is_overdue:
            finished = done.get(participant.pk, Done({}))
            _end(participant, outcome_of(participant, finished, asks_training=False))


def _end(participant: Participant, outcome: str) -> None:
    participant.outcome, participant.ended_at = outcome, timezone.now()
    participant.save(update_fields=["outcome", "ended_at"])
    record_event(
        actor=participant.person,
        verb="end panel",
        subject=participant,
        project=participant.panel.project,
        after={"outcome": outcome},
    )
