"""Work for tests: items in the queue, holds on them, and write-ups that pass the checks."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.models import Assignment, Clip, User, WorkItem
from annotate.write import services as writing

WRITE_UP = {
    "overview": "A diver jumps from a tall board into a blue pool.",
    "objects": "The diver wears red trunks and a white cap. " * 11,
    "actions": "First she steps to the edge, then she bends her knees and jumps. " * 5,
    "misc": "The camera follows the diver from the side. It looks like a training video.",
}


def make_work(clip: Clip, kind: str = "write", needed: int = 2, **fields) -> WorkItem:
    return WorkItem.objects.create(
        project=clip.project, clip=clip, kind=kind, needed=needed, open_slots=needed, **fields
    )


def hold(person: User, item: WorkItem, *, minutes: int = 30) -> Assignment:
    """`person` has taken a place of `item`; a negative number of minutes: the hold has run out."""
    WorkItem.objects.filter(pk=item.pk).update(open_slots=item.open_slots - 1)
    item.refresh_from_db()
    return Assignment.objects.create(
        item=item, annotator=person, lease_expires_at=timezone.now() + timedelta(minutes=minutes)
    )


def expire(assignment: Assignment) -> None:
    """The hold ran out and the clip went back to the queue."""
    item = assignment.item
    item.refresh_from_db()
    WorkItem.objects.filter(pk=item.pk).update(open_slots=item.open_slots + 1)
    Assignment.objects.filter(pk=assignment.pk).update(
        state=Assignment.State.EXPIRED, lease_expires_at=timezone.now() - timedelta(minutes=1)
    )


def let_pass(assignment: Assignment, seconds: float) -> None:
    """So much time has passed on the server's clock since the last heartbeat."""
    Assignment.objects.filter(pk=assignment.pk).update(
        heartbeat_at=timezone.now() - timedelta(seconds=seconds)
    )


def fill_draft(assignment: Assignment, **content: str) -> None:
    assignment.draft = content
    assignment.draft_version += 1
    assignment.draft_saved_at = timezone.now()
    assignment.save(update_fields=["draft", "draft_version", "draft_saved_at"])


def submit_write_up(person: User, item: WorkItem, **parts: str) -> Assignment:
    """`person` takes `item` and submits a write-up that passes every check."""
    assignment = hold(person, item)
    return writing.submit_write_up(
        assignment_id=assignment.pk,
        annotator=person,
        key=uuid4(),
        base_version=0,
        content={**WRITE_UP, **parts},
    )


def post_json(client: Client, name: str, assignment: Assignment, body: Any):
    """The page's script asks `annotate:<name>` for something."""
    return client.post(
        reverse(f"annotate:{name}", args=[assignment.pk]),
        body if isinstance(body, str) else json.dumps(body),
        content_type="application/json",
        headers={"accept": "application/json"},
    )
