"""Panels, and the people who joined by their links."""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import quote

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.kinds import Kind, all_kinds
from annotate.models import Project, User
from annotate.models.dated import Dated

CODE = "{code}"


class Panel(Dated):
    """Work that a paid panel offers: `items` is the number of items per person by kind of work, and
    `minutes` the time for each person, None for no limit.

    The link is stored as a hash. Its parameters, named `id_parameter` and so on, identify a person.
    With `asks_signature` it lets nobody in, only the signed links of `links.py` do.
    Each outcome has a code; `{code}` in the return address is replaced by it. Without
    `no_work_code`, people for whom no work was left get `completed_code`.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="panels")
    name = models.CharField(max_length=80)
    items = models.JSONField()
    places = models.PositiveIntegerField()
    minutes = models.PositiveIntegerField(null=True, blank=True)
    id_parameter = models.CharField(max_length=40, default="PROLIFIC_PID")
    study_parameter = models.CharField(max_length=40, blank=True, default="STUDY_ID")
    session_parameter = models.CharField(max_length=40, blank=True, default="SESSION_ID")
    completed_code = models.CharField(max_length=60, blank=True)
    screened_out_code = models.CharField(max_length=60, blank=True)
    out_of_time_code = models.CharField(max_length=60, blank=True)
    unfinished_code = models.CharField(max_length=60, blank=True, default="")
    no_work_code = models.CharField(max_length=60, blank=True, default="")
    return_address = models.CharField(max_length=500, blank=True)
    asks_signature = models.BooleanField(default=False)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """Return whether new people can join, places apart."""
        return self.closed_at is None and (
            self.expires_at is None or self.expires_at > timezone.now()
        )

    @property
    def offers(self) -> list[tuple[Kind, int]]:
        """Return the kinds of work with the items per person, in the order of the work."""
        return [(kind, self.items[kind]) for kind in all_kinds() if self.items.get(kind)]

    @property
    def items_per_person(self) -> int:
        return sum(number for _, number in self.offers)

    def code_for(self, outcome: str) -> str:
        return {
            Participant.Outcome.COMPLETED: self.completed_code,
            Participant.Outcome.SCREENED_OUT: self.screened_out_code,
            Participant.Outcome.OUT_OF_TIME: self.out_of_time_code,
            Participant.Outcome.UNFINISHED: self.unfinished_code,
            Participant.Outcome.NO_WORK: self.no_work_code or self.completed_code,
        }[Participant.Outcome(outcome)]

    def return_address_for(self, outcome: str) -> str:
        """Return the stored address with the code of the outcome in place of `{code}`; empty if the
        address needs a code and the outcome has none."""
        code = self.code_for(outcome)
        if CODE in self.return_address and not code:
            return ""
        return self.return_address.replace(CODE, quote(code, safe=""))


class Participant(models.Model):
    """One person's place in a panel. `person` is an account without address and password.

    The external id is personal data: only admins see it, and they can delete it, which leaves it
    empty. A person who joins several panels of a project with one id has one account. The session
    of the panel with which they joined is theirs, and never changes.
    """

    class Outcome(models.TextChoices):
        COMPLETED = "completed"
        SCREENED_OUT = "screened_out", "Screened out"
        OUT_OF_TIME = "out_of_time", "Out of time"
        UNFINISHED = "unfinished", "Not finished"  # skipped the rest, or failed its training
        NO_WORK = "no_work", "No work left"  # the project had none for them, and they skipped none

    class Decision(models.TextChoices):
        APPROVED = "approved"
        REJECTED = "rejected"

    panel = models.ForeignKey(Panel, on_delete=models.CASCADE, related_name="participants")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="participations")
    external_id = models.CharField(max_length=100, blank=True)
    study_id = models.CharField(max_length=100, blank=True)
    session_id = models.CharField(max_length=100, blank=True)
    joined_at = models.DateTimeField(default=timezone.now)
    outcome = models.CharField(max_length=12, choices=Outcome.choices, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    decision = models.CharField(max_length=8, choices=Decision.choices, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["panel", "person"], name="participant_once_per_panel"),
            models.UniqueConstraint(
                fields=["panel", "external_id"],
                condition=~Q(external_id=""),
                name="participant_external_id_once_per_panel",
            ),
            models.CheckConstraint(
                condition=Q(outcome="", ended_at=None)
                | (~Q(outcome="") & Q(ended_at__isnull=False)),
                name="participant_ended_with_an_outcome",
            ),
            models.CheckConstraint(
                condition=~Q(decision="rejected") | ~Q(reason=""),
                name="participant_rejected_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.panel}"

    @property
    def deadline(self) -> datetime | None:
        """Return when the person gets no more work; None without a limit."""
        minutes = self.panel.minutes
        return None if minutes is None else self.joined_at + timedelta(minutes=minutes)

    @property
    def is_overdue(self) -> bool:
        return self.deadline is not None and self.deadline <= timezone.now()
