"""The models of a project, and its thresholds."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from annotate.models import Project, User
from annotate.models.dated import Dated


class ModelSpec(Dated):
    """A captioner, encoder or text model that a project can run.

    `parameters` are those of the backend (see `inference.registry`), never a secret. `refine_order`
    is the model's position in the refinement order; null if it isn't part of it. `family` and
    `parameter_count` (of its language model, as the papers count) only describe the model in tables
    of results, where rows are grouped by family. `weights_source` (such as a page, or a package
    with its version), `weights_license` and `weights_sha256` are stated in releases. No result
    depends on any of these.
    """

    class Backend(models.TextChoices):
        """The built-in ones; other packages bring more (inference.plugins)."""

        OPENCV_DRAFT = "opencv-draft"
        LEXICAL = "lexical"
        PLAIN_JOINER = "plain-joiner"
        WORD_OVERLAP = "word-overlap"
        TRANSFORMERS_VLM = "transformers-vlm"
        TRANSFORMERS_DUAL = "transformers-dual"
        TRANSFORMERS_DETECTOR = "transformers-detector"
        TRANSNETV2 = "transnetv2"
        OPENAI_COMPATIBLE = "openai-compatible"
        HTTP_PROTOCOL = "http-protocol"
        ELSEWHERE = "elsewhere"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="model_specs")
    name = models.CharField(max_length=80, help_text="what people call it")
    backend = models.CharField(max_length=40)
    model_id = models.CharField(max_length=200, blank=True)
    revision = models.CharField(max_length=100, blank=True)
    parameters = models.JSONField(default=dict)
    family = models.CharField(max_length=60, blank=True)
    parameter_count = models.PositiveBigIntegerField(null=True, blank=True)
    weights_source = models.CharField(max_length=200, blank=True)
    weights_license = models.CharField(max_length=100, blank=True)
    weights_sha256 = models.CharField(max_length=64, blank=True)
    refine_order = models.PositiveSmallIntegerField(null=True, blank=True)
    is_active = models.BooleanField(default=True)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="model_name_once_per_project"),
            models.UniqueConstraint(
                fields=["project", "refine_order"], name="model_refine_order_once_per_project"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class QualityThreshold(models.Model):
    """The lowest EVQAScore of a kept caption, for exactly one scorer.

    `scorer` is the scorer of the scores, because a threshold never applies across encoders. Rows
    are added, never changed; the newest row of a scorer is current.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="thresholds")
    scorer = models.CharField(max_length=64, help_text="hash of how the scores are made")
    scorer_name = models.CharField(max_length=200)
    value = models.FloatField(validators=[MinValueValidator(-1.0), MaxValueValidator(1.0)])
    adopted_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    adopted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["project", "scorer", "-id"], name="current_threshold")]

    def __str__(self) -> str:
        return f"{self.value:g} for {self.scorer_name}"
