"""CapST: runs, judgments and replies of models (CaReBench, section 3.4.2)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotate.models import Caption, Clip, Project, User
from annotate.models.dated import Dated
from annotate.models.jobs import AbstractJobItem, Job
from inference.models import ModelSpec
from review.captions.models import CaptionSet


class JudgeReply(Dated):
    """A usable reply of a model, stored so that the same question is never paid for twice.

    `key` is the SHA-256 of how the model is asked and of the whole question. `reply_format` is how
    the server was asked for JSON. It depends on the server and isn't part of `key`, so that a
    question isn't paid for again when its server supports another format. It is empty for local
    models.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="judge_replies")
    key = models.CharField(max_length=64)
    reply = models.TextField()
    reply_format = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="judge_reply_once"),
        ]

    def __str__(self) -> str:
        return f"reply {self.key[:8]}"


class CapstPrompts(Dated):
    """A prompt file that an admin has loaded for the official settings. The newest in use counts; a
    run keeps its own copy in its recipes.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="capst_prompts")
    file_name = models.CharField(max_length=200, blank=True)
    sha256 = models.CharField(max_length=64)
    by_name = models.JSONField(default=dict)
    is_used = models.BooleanField(default=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.file_name or 'Prompts'}, {self.sha256[:8]}"


class CapstRun(Job):
    """A job that judges one model's captions or, without `caption_set`, only finds the elements of
    the human captions.

    The recipes describe the models at the start; the run continues only with these. `reply_formats`
    has the JSON formats of its replies, by "elements" and "judgements"; they depend on the servers,
    so they aren't part of the recipes. `judged_at` is when the run last finished; it stays during a
    retry of failures.
    """

    class Preset(models.TextChoices):
        DEFAULT = "default"
        OFFICIAL = "official"

    caption_set = models.ForeignKey(
        CaptionSet, on_delete=models.PROTECT, null=True, related_name="capst_runs"
    )
    preset = models.CharField(max_length=10, choices=Preset.choices, default=Preset.DEFAULT)
    extractor = models.ForeignKey(ModelSpec, on_delete=models.PROTECT, related_name="+")
    judge = models.ForeignKey(ModelSpec, on_delete=models.PROTECT, null=True, related_name="+")
    extractor_recipe = models.JSONField(default=dict)
    judge_recipe = models.JSONField(default=dict)
    reply_formats = models.JSONField(default=dict)
    judged_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(caption_set=None, judge=None)
                | Q(caption_set__isnull=False, judge__isnull=False),
                name="capst_run_judges_what_it_has",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.caption_set or 'Human captions'}, {self.preset}"


class CapstItem(AbstractJobItem):
    """One clip of a run.

    `results` has the judged reference and prediction lists of events and objects: see
    review.capst.results. The extractions are those used for judging. `reply` is the model's last
    reply if there was no usable answer.
    """

    run = models.ForeignKey(CapstRun, on_delete=models.CASCADE, related_name="items")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="+")
    prediction = models.ForeignKey(Caption, on_delete=models.CASCADE, null=True, related_name="+")
    events_reference = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="+")
    objects_reference = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="+")
    reply = models.CharField(max_length=500, blank=True)
    results = models.JSONField(default=dict)

    class Meta(AbstractJobItem.Meta):
        constraints = [
            models.UniqueConstraint(fields=["run", "clip"], name="capst_item_once"),
        ]
        indexes = [
            models.Index(fields=["run", "state", "position"], name="capst_item_by_state"),
        ]

    def __str__(self) -> str:
        return f"{self.clip}: {self.state}"
