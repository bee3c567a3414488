"""Webhooks: addresses that receive a project's events, and the deliveries to them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotate.models.dated import Dated
from annotate.models.people import User
from annotate.models.projects import Project


class Webhook(Dated):
    """An address, entered by an admin, and the events that are sent to it.

    Its secret isn't stored: it is derived from `seed` and the key of the site. `site` is the
    address where the admin opened the page, for workers, which see no request. `failures` counts
    consecutive failed deliveries.
    """

    class Event(models.TextChoices):
        RELEASE_BUILT = "release.built", "Release built"
        JOB_FINISHED = "job.finished", "Job ended (done, failed or canceled)"
        MEMBER_JOINED = "member.joined", "New member"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=500)
    events = models.JSONField(default=list)
    site = models.CharField(max_length=300)
    seed = models.CharField(max_length=64)
    is_on = models.BooleanField(default=True)
    off_because = models.CharField(max_length=300, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.address

    @property
    def event_labels(self) -> list[str]:
        return [short_label(event.label) for event in self.Event if event in self.events]


class WebhookDelivery(Dated):
    """One message to a webhook, and the result of its last attempt.

    `body` is sent exactly as stored, so that its signature is valid. `attempts` numbers its
    attempts, so that a worker presumed dead can't store a result. It waits until `due_at`, or until
    `lease_until` while a worker sends it.
    """

    TEST = "test"

    class State(models.TextChoices):
        WAITING = "waiting"
        DONE = "done", "Delivered"
        FAILED = "failed"

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message_id = models.CharField(max_length=40, unique=True)
    event = models.CharField(max_length=20)
    body = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True, help_text="of the answer")
    problem = models.CharField(max_length=300, blank=True, help_text="why the answer failed")
    attempted_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["webhook", "-id"], name="delivery_by_age"),
            models.Index(
                fields=["due_at"], name="delivery_waiting", condition=models.Q(state="waiting")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.message_id}"


def short_label(label: object) -> str:
    """Return an event's label without the explanation that the form adds."""
    return str(label).partition(" (")[0]
