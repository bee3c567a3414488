"""Runs of models over clips, and their items."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db import models

from annotate.models import Caption, Clip, Video
from annotate.models.jobs import AbstractJobItem, Job
from inference.models.specs import ModelSpec


@dataclass(frozen=True)
class Elsewhere:
    """The file that results which were made elsewhere came from. `made_on` is "" if unknown."""

    file: str
    sha256: str
    made_on: str


@dataclass(frozen=True)
class ServedPrice:
    """What a model on a server costs: US dollars per million tokens and per 1,000 pictures, as of
    `inference.servers.prices`.
    """

    server: str
    model_id: str
    input_tokens: Decimal | None
    output_tokens: Decimal | None
    pictures: Decimal | None


@dataclass(frozen=True)
class RunParameters:
    """`joins_unfinished`: a fuse run joins captions that wait for people. `captions_undecided`: a
    caption run describes videos about which people disagree. `scope`: what of its subjects it works
    on, "" for all (`inference.planning.due`). `prices`: those when the run started, as later ones
    change nothing about what it has cost.
    """

    joins_unfinished: bool = False
    captions_undecided: bool = False
    elsewhere: Elsewhere | None = None
    scope: str = ""
    prices: tuple[ServedPrice, ...] = ()


class InferenceRun(Job):
    """A job that runs a model over videos, clips or captions; its kind is the run's kind.

    `recipe` is everything that decides the results: kind, model with its revision and parameters,
    prompt, sampling, generation, seed and code version; `recipe_hash` is its SHA-256.
    """

    class Kind(models.TextChoices):
        SEGMENT = "segment"
        THEME = "theme"
        CAPTION = "caption"
        EMBED = "embed"
        SCORE = "score"
        REFINE = "refine"
        FUSE = "fuse"

    model = models.ForeignKey(ModelSpec, on_delete=models.PROTECT, null=True, related_name="runs")
    recipe = models.JSONField()
    recipe_hash = models.CharField(max_length=64)
    only_missing = models.BooleanField(default=False)
    has_results = models.BooleanField(
        default=False, help_text="its recipe is current; results of other recipes are out of date"
    )

    def __str__(self) -> str:
        return f"{self.kind} run {self.pk}"


class RunItem(AbstractJobItem):
    """One video, clip or caption in a run, skipped if the same recipe has done it before.

    `key` is the SHA-256 of the recipe and the input, which identifies the same work. `theme` is the
    theme given to the model. `stale_because` names what has changed since. `device` is what did the
    work. It and the seconds are empty for results made elsewhere; the seconds
    also for work in several steps.
    """

    run = models.ForeignKey(InferenceRun, on_delete=models.CASCADE, related_name="items")
    video = models.ForeignKey(Video, on_delete=models.CASCADE, null=True, related_name="run_items")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, null=True, related_name="run_items")
    caption = models.ForeignKey(
        Caption, on_delete=models.CASCADE, null=True, related_name="run_items"
    )
    key = models.CharField(max_length=64)
    stale_because = models.CharField(max_length=20, blank=True)
    result = models.ForeignKey(
        Caption, on_delete=models.SET_NULL, null=True, related_name="made_by_items"
    )
    theme = models.ForeignKey(
        "inference.VideoTheme", on_delete=models.SET_NULL, null=True, related_name="told_items"
    )
    reasoning = models.TextField(blank=True, help_text="what the model thought before its answer")
    device = models.CharField(max_length=100, blank=True)
    read_seconds = models.FloatField(null=True, help_text="of decoding")
    compute_seconds = models.FloatField(null=True, help_text="of its share of the model's batch")
    # Of all requests to model servers, also of attempts that failed.
    tokens_in = models.PositiveIntegerField(null=True, help_text="null: no server has told")
    tokens_out = models.PositiveIntegerField(null=True, help_text="with those of the reasoning")
    pictures = models.PositiveIntegerField(default=0, help_text="sent to servers")
    cost = models.DecimalField(
        max_digits=16, decimal_places=9, null=True, help_text="US dollars; null: no price"
    )
    reused = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta(AbstractJobItem.Meta):
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
