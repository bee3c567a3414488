"""Panels for tests, and people who join by their links."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.corpus.services.opening import open_dynamics_check
from annotate.models import Assignment, Membership
from review.panels.joining import join_panel, next_step
from review.panels.models import Panel, Participant
from review.panels.services import make_panel
from tests.cast import make_video
from tests.hand_work import DYNAMIC
from tests.review.quality.known import answer

VALUES = {
    "name": "Videos that move",
    "items": {"dynamics": 2},
    "places": 3,
    "minutes": 60,
    "id_parameter": "PROLIFIC_PID",
    "study_parameter": "STUDY_ID",
    "session_parameter": "SESSION_ID",
    "completed_code": "DONE1",
    "screened_out_code": "OUT2",
    "out_of_time_code": "LATE3",
    "unfinished_code": "PART4",
    "no_work_code": "NONE5",
    "return_address": "https://app.prolific.com/submissions/complete?cc={code}",
    "expires_at": None,
}
PERSON = "5f1e2d3c4b5a69788796a5b4"


def open_panel(project, admin, **values) -> tuple[Panel, str]:
    return make_panel(project=project, admin=admin, values={**VALUES, **values})


def join(token: str, external_id: str = PERSON, **values) -> Participant:
    ids = {"study_id": "study", "session_id": "session", "consent_number": None}
    return join_panel(token=token, external_id=external_id, **{**ids, **values})


def link_of(token: str, external_id: str = PERSON) -> str:
    address = reverse("review:join_panel", args=[token])
    return f"{address}?PROLIFIC_PID={external_id}&STUDY_ID=study&SESSION_ID=session"


def visit(token: str, external_id: str = PERSON, **fields) -> Client:
    """A new browser in which the person has joined."""
    client = Client()
    sent = {"external_id": external_id, "study_id": "study", "session_id": "session", **fields}
    client.post(link_of(token, external_id), sent)
    return client


def open_work(project, number=4):
    for _ in range(number):
        open_dynamics_check(make_video(project))


def work(participant, content=DYNAMIC):
    """The participant takes their next item and answers it."""
    step = next_step(participant=participant, membership=member(participant))
    held = Assignment.objects.get(annotator=participant.person, state="held")
    assert step.address == reverse("annotate:work", args=[held.pk])
    return answer(held, content)


def member(participant):
    return Membership.objects.select_related("project", "user").get(user=participant.person)


def own_page(client, project):
    return client.get(reverse("review:own_panel", args=[project.slug])).text


def overdue(participant):
    Participant.objects.filter(pk=participant.pk).update(
        joined_at=timezone.now() - timedelta(minutes=61)
    )
    participant.refresh_from_db()
