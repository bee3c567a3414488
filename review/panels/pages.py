"""The pages of panels, and the file of approvals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.core.paginator import Paginator

from annotate.consent.queries import current_text
from annotate.guidelines import markdown_html
from annotate.models import Membership, WorkItem
from annotate.queue.kinds import kinds_of
from annotate.queue.work_kinds import Context
from review.display.tables import csv_lines
from review.panels.forms import DecisionForm, JoinPanelForm, PanelForm, SignedLinksForm
from review.panels.links import signed_token
from review.panels.models import Panel, Participant
from review.panels.queries import (
    Row,
    counted_panels,
    done_of,
    outcome_of,
    panel_kinds,
    places_taken,
    rows_of,
)
from review.pay.money import amount_of

PER_PAGE = 50
PROLIFIC = "PROLIFIC_PID"
BATCH_SIZE = 500
COLUMNS = (
    *("external_id", "study_id", "session_id", "participant", "joined_at", "ended_at", "outcome"),
    *(
        "code",
        "items",
        "skipped",
        "active_seconds",
        "gold_right",
        "gold_answered",
        "earned",
        "currency",
    ),
    *("decision", "reason", "decided_at", "decided_by"),
)


def panels_context(membership: Membership) -> Context:
    return {
        "membership": membership,
        "project": membership.project,
        "rows": counted_panels(membership.project),
    }


def form_context(membership: Membership, form: PanelForm, panel: Panel | None = None) -> Context:
    """Return the page with an admin's form for a panel."""
    project = membership.project
    in_use = WorkItem.objects.filter(project=project).values_list("kind", flat=True).distinct()
    offered = {*kinds_of(project, set(in_use)), *(panel.items if panel else ())}
    form.offer_kinds([kind for kind in panel_kinds() if kind in offered])
    return {"membership": membership, "project": project, "form": form, "panel": panel}


def panel_context(
    membership: Membership,
    panel: Panel,
    number: str | None,
    *,
    link: str = "",
    refused: tuple[int, DecisionForm] | None = None,
    signing: SignedLinksForm | None = None,
) -> Context:
    """Return a panel with its participants. `link`: the new link, to show once. `refused`: a
    participant and the form about them that could not be stored. `signing`: the refused form of
    signed links."""
    participants = Participant.objects.filter(panel=panel)
    page = Paginator(participants, PER_PAGE).get_page(number)
    keys = [participant.pk for participant in page]
    rows = rows_of(participants.filter(pk__in=keys), panel.project)
    key, form = refused or (0, None)
    return {
        "membership": membership,
        "project": membership.project,
        "panel": panel,
        "taken": places_taken(panel),
        "page": page,
        "rows": [(row, form if row.participant.pk == key else None) for row in rows],
        "link": link,
        "signing": signing or SignedLinksForm(),
    }


def signed_links_csv(panel: Panel, ids: Sequence[str], address: str) -> Iterator[str]:
    """Return the ids with their links as lines of CSV. `address`: of a link, with `{token}`."""
    rows = ((key, address.replace("{token}", signed_token(panel, key))) for key in ids)
    return csv_lines(("external_id", "link"), rows)


def full_link(panel: Panel, link: str) -> str:
    """Return the link with the parameters of the panel, each with the placeholder that Prolific
    fills in; for another panel, the bare link."""
    if panel.id_parameter != PROLIFIC:
        return link
    names = filter(None, [panel.id_parameter, panel.study_parameter, panel.session_parameter])
    return f"{link}?" + "&".join(f"{name}={{{{%{name}%}}}}" for name in names)


def join_context(panel: Panel, form: JoinPanelForm, *, has_id: bool, refusal: str = "") -> Context:
    """Return the page of the link: the work, and the consent text if there is one."""
    text = current_text(panel.project)
    return {
        "panel": panel,
        "form": form,
        "has_id": has_id,
        "refusal": refusal,
        "text": text if text and text.text else None,
        "html": markdown_html(text.text) if text else "",
    }


def own_context(membership: Membership, participant: Participant) -> dict[str, Any]:
    """Return how far the participant is or, once they have ended, their code and the way back."""
    panel, done = participant.panel, done_of(participant)
    outcome = outcome_of(participant, done)
    return {
        "membership": membership,
        "project": membership.project,
        "panel": panel,
        "participant": participant,
        "outcome": outcome,
        "steps": [
            (kind.label, min(done.by_kind.get(kind, 0), number), number)
            for kind, number in panel.offers
        ],
        "has_begun": done.items > 0,
        "done": done,
        "code": panel.code_for(outcome) if outcome else "",
        "return_address": panel.return_address_for(outcome) if outcome else "",
    }


def approvals_csv(panel: Panel) -> Iterator[str]:
    """Return the participants of a panel as lines of CSV, in the order in which they joined."""
    return csv_lines(COLUMNS, _approval_rows(panel))


def _approval_rows(panel: Panel) -> Iterator[tuple[object, ...]]:
    participants = Participant.objects.filter(panel=panel)
    keys = list(participants.values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH_SIZE):
        batch = participants.filter(pk__in=keys[start : start + BATCH_SIZE])
        for row in rows_of(batch, panel.project):
            yield _approval_row(panel, row)


def _approval_row(panel: Panel, row: Row) -> tuple[object, ...]:
    participant, currency = row.participant, panel.project.currency
    return (
        participant.external_id,
        participant.study_id,
        participant.session_id,
        participant.person.name,
        participant.joined_at,
        participant.ended_at,
        row.outcome,
        panel.code_for(row.outcome) if row.outcome else "",
        row.done.items,
        row.done.skipped,
        row.done.seconds,
        row.gold.right,
        row.gold.answered,
        amount_of(row.units, currency) if currency else "",
        currency,
        participant.decision,
        participant.reason,
        participant.decided_at,
        participant.decided_by.name if participant.decided_by else "",
    )
