"""Background work: jobs, and their items."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.models.dated import Dated
from annotate.models.people import User
from annotate.models.projects import Project


class Job(Dated):
    """Background work of one kind, with the state that all kinds share.

    A worker plans its items. Until `is_planned`, `lease_until` and `token` identify the worker that
    plans, and `deaths` counts workers presumed dead. In a `lane` only one job of a kind is active
    at a time; without a lane, any number. `total` and `counts` (state -> items) are stored when it
    is planned and when it ends. `resumed_at` is when somebody last started, retried or resumed it;
    `queued_at` is when its last message was sent.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"  # `reason` says why and how to fix it; waiting items can be resumed
        CANCELLED = "cancelled", "Canceled"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=20)
    lane = models.CharField(max_length=80, blank=True)
    title = models.CharField(max_length=200, blank=True, help_text="what it works on")
    parameters = models.JSONField(default=dict)
    queue = models.CharField(max_length=10, default="cpu")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    reason = models.CharField(max_length=500, blank=True)
    is_planned = models.BooleanField(default=False)
    token = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    deaths = models.PositiveSmallIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    queued_at = models.DateTimeField(default=timezone.now)
    resumed_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind", "lane"],
                condition=Q(state__in=["waiting", "running"]) & ~Q(lane=""),
                name="job_one_active_in_a_lane",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "-id"], name="job_by_age"),
            models.Index(fields=["project", "kind", "-id"], name="job_by_kind"),
            models.Index(
                fields=["id"],
                name="job_active",
                condition=Q(state__in=["waiting", "running"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} job {self.pk}"

    @property
    def is_active(self) -> bool:
        return self.state in ACTIVE


ACTIVE = (Job.State.WAITING, Job.State.RUNNING)


class AbstractJobItem(models.Model):
    """One unit of a job. A kind whose items need more than `subject` has its own table.

    `attempts` grows each time a worker takes the item, so it distinguishes that worker from a later
    one. A living worker renews `lease_until`, and `deaths` counts workers that did not.
    """

    class State(models.TextChoices):
        UPLOADING = "uploading"  # its bytes are still arriving
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        SKIPPED = "skipped"  # done before, or no longer needed
        FAILED = "failed"
        CANCELLED = "cancelled", "Canceled"

    position = models.PositiveIntegerField(default=0, help_text="the order of work")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    step = models.CharField(max_length=80, blank=True, help_text="what the worker does, in words")
    attempts = models.PositiveSmallIntegerField(default=0)
    deaths = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    code = models.CharField(max_length=40, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    note = models.CharField(max_length=300, blank=True, help_text="the result, in a few words")
    seconds = models.FloatField(null=True, help_text="of work on it")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ["position", "id"]


class JobItem(AbstractJobItem):
    """An item that one key describes: `subject`, whose table depends on the kind of job.

    `details` is what the kind stores about the result in addition to the note.
    """

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="job_items")
    subject = models.PositiveBigIntegerField(null=True)
    name = models.CharField(max_length=200, blank=True)
    details = models.JSONField(default=dict)

    class Meta(AbstractJobItem.Meta):
        indexes = [
            models.Index(fields=["job", "state", "position"], name="job_item_by_state"),
        ]

    def __str__(self) -> str:
        return f"{self.job} item {self.position}"


OPEN_STATES = (
    AbstractJobItem.State.UPLOADING,
    AbstractJobItem.State.WAITING,
    AbstractJobItem.State.RUNNING,
)
