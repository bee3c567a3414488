"""One run of a model over many clips, and each clip's part in it."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotate.models import Caption, Clip, Project, User, Video
from inference.models.specs import ModelSpec


class InferenceRun(models.Model):
    """What is asked of a model, once for all its items.

    `recipe` is everything that decides the results: kind, model with its revision and parameters,
    prompt, sampling, generation, seed and code version; `recipe_hash` is its SHA-256.
    """

    class Kind(models.TextChoices):
        SEGMENT = "segment"
        CAPTION = "caption"
        EMBED = "embed"
        SCORE = "score"
        REFINE = "refine"
        FUSE = "fuse"

    class State(models.TextChoices):
        RUNNING = "running"
        FINISHED = "finished"
        STOPPED = "stopped"  # the model could not be used at all; `reason` says how to mend it
        CANCELLED = "cancelled"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="inference_runs")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    model = models.ForeignKey(ModelSpec, on_delete=models.PROTECT, null=True, related_name="runs")
    recipe = models.JSONField()
    recipe_hash = models.CharField(max_length=64)
    only_missing = models.BooleanField(default=False)
    queue = models.CharField(max_length=10)
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    reason = models.CharField(max_length=500, blank=True)
    total = models.PositiveIntegerField(default=0)
    has_results = models.BooleanField(
        default=False, help_text="its recipe is in force: what others have made is out of date"
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    queued_at = models.DateTimeField(default=timezone.now, help_text="last handed to the broker")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["project", "-id"], name="run_by_age"),
            models.Index(fields=["id"], name="run_unfinished", condition=models.Q(state="running")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} run {self.pk}"


class RunItem(models.Model):
    """One video, clip or caption in a run.

    `key` is the SHA-256 of the recipe and of what goes in, so that the same work is recognised.
    `attempts` grows each time a worker takes the item up and tells that worker from a later one;
    a worker that is alive moves `lease_until` on, and `deaths` counts those that did not.
    `stale_because` names what has changed since.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        REUSED = "reused"
        FAILED = "failed"
        CANCELLED = "cancelled"

    run = models.ForeignKey(InferenceRun, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField(help_text="the order of work, shortest first")
    video = models.ForeignKey(Video, on_delete=models.CASCADE, null=True, related_name="run_items")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, null=True, related_name="run_items")
    caption = models.ForeignKey(
        Caption, on_delete=models.CASCADE, null=True, related_name="run_items"
    )
    key = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    step = models.CharField(max_length=80, blank=True, help_text="what it is at, in words")
    attempts = models.PositiveSmallIntegerField(default=0)
    deaths = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    code = models.CharField(max_length=40, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    stale_because = models.CharField(max_length=20, blank=True)
    result = models.ForeignKey(
        Caption, on_delete=models.SET_NULL, null=True, related_name="made_by_items"
    )
    reused = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    seconds = models.FloatField(null=True, help_text="of the model's work on it")
    note = models.CharField(max_length=300, blank=True, help_text="what came out, in a few words")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "key"], name="run_item_once_per_run"),
            models.CheckConstraint(
                condition=(
                    models.Q(video__isnull=False, clip__isnull=True, caption__isnull=True)
                    | models.Q(video__isnull=True, clip__isnull=False, caption__isnull=True)
                    | models.Q(video__isnull=True, clip__isnull=True, caption__isnull=False)
                ),
                name="run_item_has_one_subject",
            ),
        ]
        indexes = [
            models.Index(fields=["run", "state", "position"], name="run_item_by_state"),
            models.Index(
                fields=["run", "lease_until"],
                name="run_item_leases",
                condition=models.Q(state="running"),
            ),
            models.Index(fields=["key"], name="run_item_done", condition=models.Q(state="done")),
        ]

    def __str__(self) -> str:
        return f"{self.run} item {self.position}"
