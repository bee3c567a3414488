"""Modifications, and runs of text models that write them (TF-CoVR, appendix B)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from annotate.models import ActionLabel, Assignment, Project, User
from annotate.models.dated import Dated
from annotate.models.jobs import AbstractJobItem, Job
from inference.models import ModelSpec
from review.pairs.models import LabelPair


class ModificationPrompt(Dated):
    """A text model's prompt for modifications of one domain. Rows never change: an edit is a new
    version. `examples` are `{"source", "target", "modification"}`, written by people.
    """

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="modification_prompts"
    )
    domain = models.CharField(max_length=40, blank=True)
    version = models.PositiveIntegerField()
    instruction = models.TextField()
    examples = models.JSONField(default=list)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["domain", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "domain", "version"], name="modification_prompt_once_per_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.domain or 'any domain'}, version {self.version}"


class Modification(Dated):
    """The change from an action of `source` to one of `target`, in a few words.

    Texts never change: an edit is a new row whose parent is the old one. A person accepts, edits or
    rejects a model's text; a direction of a pair has at most one accepted text. `is_outdated`: a
    label has been corrected since, and nobody has kept or changed the text.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        ACCEPTED = "accepted"
        EDITED = "edited"  # a child was accepted instead
        REJECTED = "rejected"

    pair = models.ForeignKey(LabelPair, on_delete=models.CASCADE, related_name="modifications")
    source = models.ForeignKey(ActionLabel, on_delete=models.CASCADE, related_name="+")
    target = models.ForeignKey(ActionLabel, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=300)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    is_outdated = models.BooleanField(default=False)
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="children")
    model = models.ForeignKey(ModelSpec, on_delete=models.PROTECT, null=True, related_name="+")
    prompt = models.ForeignKey(
        ModificationPrompt, on_delete=models.PROTECT, null=True, related_name="+"
    )
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    assignment = models.OneToOneField(
        Assignment, on_delete=models.PROTECT, null=True, related_name="modification"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(source=F("target")), name="modification_changes"),
            models.CheckConstraint(condition=~Q(text=""), name="modification_has_text"),
            models.UniqueConstraint(
                fields=["pair", "source"],
                condition=Q(state="accepted"),
                name="modification_accepted_once_per_direction",
            ),
        ]

    def __str__(self) -> str:
        return self.text


class ImportedText(models.Model):
    """The origin of an imported modification, as its file states it. `prompt` names the version.
    `provenance`: the release's statement about it, which the next release repeats.
    """

    modification = models.OneToOneField(
        Modification, on_delete=models.CASCADE, related_name="imported"
    )
    source = models.CharField(max_length=200)
    model = models.CharField(max_length=200, blank=True)
    prompt = models.CharField(max_length=200, blank=True)
    provenance = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(source=""), name="imported_text_has_a_source"),
        ]

    def __str__(self) -> str:
        return self.source


class ModificationRun(Job):
    """A job that asks one model, with one prompt, for every direction without a text."""

    model = models.ForeignKey(ModelSpec, on_delete=models.PROTECT, related_name="+")
    prompt = models.ForeignKey(ModificationPrompt, on_delete=models.PROTECT, related_name="runs")

    def __str__(self) -> str:
        return f"{self.model.name}, {self.prompt}"


class ModificationRequest(AbstractJobItem):
    """A run's request for one direction of a pair; skipped, and so left to people, if somebody was
    faster or the pair was rejected. `reply` is the model's last reply if it isn't a valid text.
    """

    run = models.ForeignKey(ModificationRun, on_delete=models.CASCADE, related_name="requests")
    pair = models.ForeignKey(LabelPair, on_delete=models.CASCADE, related_name="+")
    source = models.ForeignKey(ActionLabel, on_delete=models.CASCADE, related_name="+")
    target = models.ForeignKey(ActionLabel, on_delete=models.CASCADE, related_name="+")
    reply = models.CharField(max_length=500, blank=True)

    class Meta(AbstractJobItem.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["run", "source", "target"], name="modification_request_once"
            ),
            models.CheckConstraint(
                condition=~Q(source=F("target")), name="modification_request_changes"
            ),
        ]
        indexes = [
            models.Index(fields=["run", "state", "position"], name="modification_request_by_state"),
        ]

    def __str__(self) -> str:
        return f"{self.source.key} to {self.target.key}: {self.state}"
