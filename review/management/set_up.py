"""Further settings by the demo's admin: a consent text, candidates, an archived set of captions, a
token and a webhook."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from annotate.archive.kinds import archive_kind
from annotate.archive.services import archive_thing
from annotate.candidates.decisions import reject_candidates
from annotate.candidates.segments import Annotations, Segment
from annotate.candidates.services import import_candidates
from annotate.consent.services import agree, write_consent_text
from annotate.models import (
    ApiToken,
    Candidate,
    ConsentText,
    Membership,
    Project,
    User,
    Webhook,
    WebhookDelivery,
)
from annotate.projects.services.projects import change_project
from annotate.tokens.services import make_token
from annotate.webhooks.services.endpoints import add_webhook, turn_off
from fixtures.demo_content import Segment as DemoSegment
from fixtures.demo_content import consent_text
from review.captions.models import CaptionSet, SetCaption
from review.captions.services import add_set
from review.management.first_round import OPENING
from review.management.past import DAYS, days_ago

TRIAL = "Opening, trial with one clip"
WHY_ARCHIVED = "A trial. The set with all clips replaces it."
WHY_REJECTED = "The scene before it shows the same machine."
# A name that no computer has (RFC 2606). The webhook is off, so nothing is ever sent there.
ADDRESS = "https://lab.example/vericap"
WHY_OFF = "Simulated for the demo: nothing was sent."


def set_up(*, project: Project, people: Sequence[User], admin: User) -> None:
    """Set up each of these unless it exists."""
    change_project(project_id=project.pk, admin=admin, can_choose_work=True)
    if not ConsentText.objects.filter(project=project).exists():
        _ask_for_consent(project, people, admin)
    if not CaptionSet.objects.filter(project=project, name=TRIAL).exists():
        _archive_trial(project, admin)
    membership = Membership.objects.get(project=project, user=admin)
    if not membership.tokens.exists():
        with days_ago(6):
            make_token(
                membership=membership, name="Nightly statistics", scope=ApiToken.Scope.READ, days=90
            )
    if not project.webhooks.exists():
        _add_webhook(project, admin)


def _ask_for_consent(project: Project, people: Sequence[User], admin: User) -> None:
    with days_ago(DAYS + 0.4):
        version = write_consent_text(
            project=project, admin=admin, text=consent_text(), asks_again=False, base_number=0
        )
        for person in people:
            agree(project=project, person=person, number=version.number)


def add_candidates(*, project: Project, segments: Sequence[DemoSegment], admin: User) -> None:
    """Import the segments as those of an annotation file, and reject the last one, unless that is
    done. Call it before the videos are described; then they only give candidates."""
    if not segments or project.candidates.exists():
        return
    annotations = Annotations(
        [
            Segment(
                source=Path(segment.file).stem,
                number=number,
                category=segment.category,
                label=segment.subcategory,
                start=Fraction(segment.start),
                end=Fraction(segment.end),
            )
            for number, segment in enumerate(segments, 1)
        ],
        seconds={},
    )
    with days_ago(DAYS + 0.3):
        import_candidates(
            project=project,
            admin=admin,
            annotations=annotations,
            file_name="drawn-by-the-demo.json",
        )
    with days_ago(2):
        last = Candidate.objects.filter(project=project).latest("number")
        reject_candidates(project=project, keys=[last.pk], reason=WHY_REJECTED, admin=admin)


@transaction.atomic
def _archive_trial(project: Project, admin: User) -> None:
    whole = SetCaption.objects.filter(caption_set__project=project, caption_set__name=OPENING)
    kind = archive_kind("caption-set")
    if kind is None or not (row := whole.order_by("pk").first()):
        return
    with days_ago(4):
        trial = add_set(
            project=project,
            name=TRIAL,
            kind="general",
            captions={row.clip_id: row.caption_id},
            admin=admin,
            theme=CaptionSet.Theme.NO_MODEL,
        )
        archive_thing(project=project, kind=kind, thing=trial, reason=WHY_ARCHIVED, admin=admin)


def _add_webhook(project: Project, admin: User) -> None:
    """Add a webhook that was turned off, with the messages that it would have been sent."""
    with days_ago(5):
        webhook, _ = add_webhook(
            project=project,
            admin=admin,
            address=ADDRESS,
            events=[Webhook.Event.RELEASE_BUILT, Webhook.Event.JOB_FINISHED],
            site="http://127.0.0.1",
        )
        turn_off(webhook=webhook, admin=admin, reason=WHY_OFF)
    for number, status in enumerate((204, 204, 500, 204)):
        at = timezone.now() - timedelta(days=5 - number / 20)
        is_good = status < 300
        body = {"type": Webhook.Event.JOB_FINISHED, "data": {"project": project.slug}}
        WebhookDelivery.objects.create(
            webhook=webhook,
            message_id=f"msg_{secrets.token_hex(12)}",
            event=Webhook.Event.JOB_FINISHED,
            body=json.dumps(body),
            state=WebhookDelivery.State.DONE if is_good else WebhookDelivery.State.FAILED,
            attempts=1 if is_good else 5,
            status=status,
            problem="" if is_good else "The address answered with status 500.",
            created_at=at,
            attempted_at=at,
        )
