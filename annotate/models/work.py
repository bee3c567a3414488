"""The queue: units of human work, and the people who hold them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotate.kinds import kind_choices
from annotate.models.corpus import Clip
from annotate.models.dated import Dated
from annotate.models.people import Membership, User
from annotate.models.projects import Project


class RealWork(models.Manager["WorkItem"]):
    """The work whose results count, without training and gold."""

    def get_queryset(self) -> models.QuerySet[WorkItem]:
        return super().get_queryset().filter(purpose=WorkItem.Purpose.WORK)


class WorkItem(Dated):
    """One unit of work on one clip, to be done by `needed` different people.

    Training and gold are items with a known answer. Nothing is made of their results, so `objects`
    leaves them out; `with_known_answers` has all items.

    `subject` is the key of the object of the work, unless this is the clip: the caption that is
    verified or rated, the label pair, the modification, the composed query. `open_slots` counts the
    places that nobody holds and nobody has finished. Higher `priority` comes first. Work that is
    `reserved_for` somebody is offered only to them.
    """

    class State(models.TextChoices):
        OPEN = "open"
        WAITING = "waiting"  # for earlier work that was sent back; nobody can claim it
        DONE = "done"
        CANCELLED = "cancelled"

    class Purpose(models.TextChoices):
        WORK = "work"
        TRAINING = "training"  # the person sees the known answer after their own
        GOLD = "gold"  # mixed into work, and never recognizable for the person who does it

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="work_items")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="work_items")
    kind = models.CharField(max_length=16, choices=kind_choices)
    subject = models.PositiveBigIntegerField(default=0)
    purpose = models.CharField(max_length=8, choices=Purpose.choices, default=Purpose.WORK)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    needed = models.PositiveSmallIntegerField(default=1)
    open_slots = models.PositiveSmallIntegerField(default=1)
    priority = models.FloatField(default=0)
    reserved_for = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, related_name="reserved_work"
    )
    context = models.JSONField(
        default=dict, blank=True, help_text="what the page shows beside the clip"
    )

    # A few words about its object, and the item's name; only set by
    # `annotate.queue.work_kinds.name_work`.
    about: str
    title: str

    objects = RealWork()
    with_known_answers = models.Manager["WorkItem"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["clip", "kind", "subject", "purpose"], name="work_item_once_per_subject"
            ),
            models.CheckConstraint(
                condition=models.Q(open_slots__lte=models.F("needed")),
                name="work_item_slots_within_needed",
            ),
        ]
        indexes = [
            models.Index(
                "project",
                "kind",
                models.F("priority").desc(),
                "id",
                name="work_item_claimable",
                condition=models.Q(state="open", open_slots__gt=0),
            ),
            models.Index(fields=["project", "kind", "state"], name="work_item_by_state"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.clip}"


class Assignment(models.Model):
    """One person's lease on a work item, with their draft, which always stays theirs.

    `draft_version` grows by one with every save. `watched` has the frame intervals of the clip that
    were played. The time at work is counted up to `heartbeat_at`, to within two seconds. A repeated
    submit has the same `submit_key`.
    """

    class State(models.TextChoices):
        HELD = "held"
        RETURNED = "returned"  # sent back to its author with a comment; only they may continue
        PAUSED = "paused"  # until its sources are rewritten; the draft stays
        EXPIRED = "expired"
        SKIPPED = "skipped"
        SUBMITTED = "submitted"

    # The annotator's, only set by `access.own_assignment`.
    membership: Membership
    # Read when a submit locks it: False if it is by a program that doesn't count.
    is_counted = True

    item = models.ForeignKey(WorkItem, on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(User, on_delete=models.PROTECT, related_name="assignments")
    state = models.CharField(max_length=10, choices=State.choices, default=State.HELD)
    lease_expires_at = models.DateTimeField()
    claimed_at = models.DateTimeField(default=timezone.now)
    heartbeat_at = models.DateTimeField(default=timezone.now)
    draft = models.JSONField(default=dict)
    draft_version = models.PositiveIntegerField(default=0)
    draft_saved_at = models.DateTimeField(null=True, blank=True)
    active_seconds = models.PositiveIntegerField(default=0)
    watched = models.JSONField(default=list)
    skip_reason = models.CharField(max_length=500, blank=True)
    sent_back_at = models.DateTimeField(
        null=True, blank=True, help_text="when it was last sent back, also if submitted since"
    )
    return_comment = models.TextField(blank=True)
    returned_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    submit_key = models.UUIDField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    is_late = models.BooleanField(
        default=False, help_text="submitted after the caption that it is about was replaced"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "annotator"], name="assignment_once_per_person"
            ),
        ]
        indexes = [
            models.Index(
                fields=["lease_expires_at"],
                name="assignment_running_leases",
                condition=models.Q(state="held"),
            ),
            models.Index(fields=["annotator", "state"], name="assignment_by_person"),
        ]

    def __str__(self) -> str:
        return f"{self.annotator}: {self.item} ({self.state})"

    @property
    def holds_lease(self) -> bool:
        return self.state == self.State.HELD and self.lease_expires_at > timezone.now()
