"""CapST: what captions name, and what a judge says of it (CaReBench, section 3.4.2)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.models import Caption, Clip, Project, User
from inference.models import ModelSpec
from review.captions.models import CaptionSet


class JudgeReply(models.Model):
    """A usable reply of a model, so that the same question is never paid for twice.

    `key` is the SHA-256 of how the model is asked and of the whole question. `reply_format` is how
    the server was asked for JSON: what the server takes decides it, and no part of `key`, so that a
    question is not paid for again when its server learns another format. Empty: before formats were
    recorded, or a model that runs here.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="judge_replies")
    key = models.CharField(max_length=64)
    reply = models.TextField()
    reply_format = models.CharField(max_length=20, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="judge_reply_once"),
        ]

    def __str__(self) -> str:
        return f"reply {self.key[:8]}"


class CapstRun(models.Model):
    """One model's captions judged, or, without `caption_set`, the elements of the human captions
    alone found. A worker that is at it renews `lease_until`; once that is past, another goes on.

    The recipes are what the models were when it was started; it goes on with no others.
    `reply_formats` says in which formats of JSON the replies came that it rests on, by "elements"
    and "judgements": they depend on the servers, so they are no part of the recipes.
    `finished_at` is when it last came to its end; it stays while what failed is asked again.
    """

    class Preset(models.TextChoices):
        DEFAULT = "default"
        OFFICIAL = "official"

    class State(models.TextChoices):
        RUNNING = "running"
        FINISHED = "finished"
        STOPPED = "stopped"  # `reason` says how to mend it

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="capst_runs")
    caption_set = models.ForeignKey(
        CaptionSet, on_delete=models.PROTECT, null=True, related_name="capst_runs"
    )
    preset = models.CharField(max_length=10, choices=Preset.choices, default=Preset.DEFAULT)
    extractor = models.ForeignKey(ModelSpec, on_delete=models.PROTECT, related_name="+")
    judge = models.ForeignKey(ModelSpec, on_delete=models.PROTECT, null=True, related_name="+")
    extractor_recipe = models.JSONField(default=dict)
    judge_recipe = models.JSONField(default=dict)
    reply_formats = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    reason = models.CharField(max_length=500, blank=True)
    lease_until = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "caption_set", "preset"],
                condition=Q(state="running"),
                name="capst_run_one_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["project", "preset"],
                condition=Q(state="running", caption_set=None),
                name="capst_extraction_one_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(caption_set=None, judge=None)
                | Q(caption_set__isnull=False, judge__isnull=False),
                name="capst_run_judges_what_it_has",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.caption_set or 'Human captions'}, {self.preset}"


class CapstItem(models.Model):
    """One clip of a run.

    `results` has, for events and objects each, what came of the reference and of the prediction:
    see review.capst.recipes. The extractions are those that it was judged with.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"
        FAILED = "failed"  # some of it; `reason` says why, `reply` what the model said last

    run = models.ForeignKey(CapstRun, on_delete=models.CASCADE, related_name="items")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="+")
    prediction = models.ForeignKey(Caption, on_delete=models.CASCADE, null=True, related_name="+")
    events_reference = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="+")
    objects_reference = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    reason = models.CharField(max_length=500, blank=True)
    reply = models.CharField(max_length=500, blank=True)
    results = models.JSONField(default=dict)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "clip"], name="capst_item_once"),
        ]
        indexes = [models.Index(fields=["run", "state"], name="capst_item_by_state")]

    def __str__(self) -> str:
        return f"{self.clip}: {self.state}"
