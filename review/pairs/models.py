"""Pairs of action labels and people's verdicts on them (TF-CoVR, section 3)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from annotate.models import ActionLabel, Assignment, Project, User
from annotate.models.dated import Dated
from review.pairs.events import contradiction_of


class LabelPair(models.Model):
    """An unordered pair of labels, with the similarity of their captions by one encoder.

    `candidate` is the kind of change the pair was compared for: an event change if both events are
    known and differ, by the captions without the events; else a temporal change, by the whole
    captions. `is_outdated`: a caption or an event has changed since. `kind` is people's decision: a
    temporal change (another action in the same event), an event change (the same action in another
    event), or neither; "" before it.
    """

    class Kind(models.TextChoices):
        TEMPORAL = "temporal", "Temporal change"
        EVENT = "event", "Event change"
        REJECT = "reject", "Rejected"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="label_pairs")
    first = models.ForeignKey(ActionLabel, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(ActionLabel, on_delete=models.CASCADE, related_name="+")
    similarity = models.FloatField(help_text="cosine of the captions' vectors, -1 to 1")
    encoder = models.CharField(max_length=200)
    candidate = models.CharField(max_length=10, choices=Kind.choices[:2], default=Kind.TEMPORAL)
    is_outdated = models.BooleanField(default=False)
    kind = models.CharField(max_length=10, choices=Kind.choices, blank=True)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-similarity", "id"]
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="label_pair_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="label_pair_in_order"),
        ]
        indexes = [
            models.Index("project", F("similarity").desc(), "id", name="label_pair_by_likeness"),
            models.Index(fields=["project", "kind"], name="label_pair_by_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.first.key} and {self.second.key}"

    @property
    def contradiction(self) -> str:
        """How the decision contradicts the labels' events; empty if it doesn't."""
        return contradiction_of(self.kind, self.first.event, self.second.event)


class PairHandOut(Dated):
    """A hand-out of the candidates for a change with this similarity or more. Rows never change."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    candidate = models.CharField(max_length=10, choices=LabelPair.Kind.choices[:2])
    least = models.FloatField(help_text="the similarity, -1 to 1")
    people = models.PositiveSmallIntegerField()
    pairs = models.PositiveIntegerField(help_text="that were new in the queue")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.pairs} label pairs from {self.least:g}"


class PairVerdict(Dated):
    """One person's decision about a label pair. Rows are never changed: a changed decision is a new
    row, and the newest counts. An imported verdict has a `label` instead of a person.
    """

    pair = models.ForeignKey(LabelPair, on_delete=models.CASCADE, related_name="verdicts")
    person = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="pair_verdicts"
    )
    label = models.CharField(max_length=60, blank=True)
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, null=True, related_name="pair_verdicts"
    )
    kind = models.CharField(max_length=10, choices=LabelPair.Kind.choices)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["temporal", "event", "reject"]), name="pair_verdict_known"
            ),
            models.CheckConstraint(
                condition=(Q(person=None, assignment=None) & ~Q(label=""))
                | Q(person__isnull=False, assignment__isnull=False, label=""),
                name="pair_verdict_names_its_author",
            ),
            models.UniqueConstraint(
                fields=["pair", "label"],
                condition=~Q(label=""),
                name="pair_verdict_once_per_label",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pair}: {self.kind}"

    @property
    def contradiction(self) -> str:
        """How the verdict contradicts the labels' events; empty if it doesn't."""
        return contradiction_of(self.kind, self.pair.first.event, self.pair.second.event)
