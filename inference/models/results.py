"""The results of runs other than captions: cuts, themes, vectors, scores, attempts, joints."""

from __future__ import annotations

from django.db import models

from annotate.models import Caption, Clip, Project, User, Video
from annotate.models.dated import Dated
from inference.models.runs import RunItem
from inference.models.specs import ModelSpec


class Segmentation(Dated):
    """The cuts of a video, and the inter-frame differences behind them (LoVR, Figure 3).

    `cuts` are first frames of clips, 0 included. `curve` is float32, little-endian: the detector's
    content value per `step` frames, each the largest of these frames. So are `absolute_curve` (mean
    absolute difference of the pixels) and `means_curve` (difference of the mean pixels). All are
    empty for a video that was left out before decoding.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="segmentations")
    video = models.ForeignKey(Video, on_delete=models.CASCADE, related_name="segmentations")
    item = models.OneToOneField(RunItem, on_delete=models.CASCADE, related_name="segmentation")
    cuts = models.JSONField()
    threshold = models.FloatField()
    curve = models.BinaryField()
    absolute_curve = models.BinaryField()
    means_curve = models.BinaryField()
    step = models.PositiveIntegerField(default=1)
    is_kept = models.BooleanField(default=True)
    excluded_because = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.video} in {len(self.cuts)}"


class VideoThemeQuerySet(models.QuerySet["VideoTheme"]):
    def current_first(self) -> VideoThemeQuerySet:
        """Order themes by people first, then by models, newest first. An empty theme by a person
        withdraws the person themes up to it; these are left out.
        """
        by_model = models.Case(models.When(author=None, then=1), default=0)
        taken_back = VideoTheme.objects.filter(
            video=models.OuterRef("video"), text="", pk__gte=models.OuterRef("pk")
        )
        in_use = self.filter(models.Q(author=None) | ~models.Exists(taken_back))
        return in_use.order_by(by_model, "-pk")


class VideoTheme(Dated):
    """What a whole video is about: named by a model in a run, or by a person (LoVR, section 3.3).

    Rows are added, never changed. `replaces` is the theme that the person judged wrong. An empty
    text, possible only for a person, withdraws the themes by people.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="themes")
    video = models.ForeignKey(Video, on_delete=models.CASCADE, related_name="themes")
    text = models.CharField(max_length=300)
    item = models.OneToOneField(RunItem, on_delete=models.CASCADE, null=True, related_name="names")
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    replaces = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, related_name="corrections"
    )

    objects = VideoThemeQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(item__isnull=False, author__isnull=True)
                | models.Q(item__isnull=True, author__isnull=False),
                name="theme_by_model_or_person",
            ),
        ]

    def __str__(self) -> str:
        return self.text


class Embedding(Dated):
    """A unit vector of a clip or of a caption by one model, with how its frames were sampled.

    `vector` is `dimension` float32, little-endian. `space` is the hash of model, revision and
    parameters: vectors of different spaces are never compared.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="embeddings")
    item = models.OneToOneField(RunItem, on_delete=models.CASCADE, related_name="embedding")
    model = models.ForeignKey(ModelSpec, on_delete=models.PROTECT, related_name="embeddings")
    space = models.CharField(max_length=64)
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, null=True, related_name="embeddings")
    caption = models.ForeignKey(
        Caption, on_delete=models.CASCADE, null=True, related_name="embeddings"
    )
    dimension = models.PositiveIntegerField()
    vector = models.BinaryField()
    sampling = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=(
                    models.Q(clip__isnull=False, caption__isnull=True)
                    | models.Q(clip__isnull=True, caption__isnull=False)
                ),
                name="embedding_of_one_thing",
            ),
        ]
        indexes = [models.Index(fields=["project", "space"], name="embedding_by_space")]

    def __str__(self) -> str:
        return f"{self.dimension} numbers of {self.clip or self.caption}"


class QualityScore(Dated):
    """An EVQAScore of a caption against its clip.

    `scorer` is the hash of everything that makes two scores comparable: variant, encoder with its
    revision and parameters, frame sampling, source of the keywords. `details` has the parts.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="quality_scores")
    item = models.ForeignKey(RunItem, on_delete=models.CASCADE, related_name="scores")
    caption = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="quality_scores")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="quality_scores")
    scorer = models.CharField(max_length=64)
    scorer_name = models.CharField(max_length=200)
    value = models.FloatField()
    keywords = models.JSONField(default=list)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["caption", "scorer"], name="score_once_per_caption_and_scorer"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "scorer", "value"], name="score_by_value"),
        ]

    def __str__(self) -> str:
        return f"{self.value:z.3f} for caption {self.caption_id}"


class RefineAttempt(Dated):
    """One regeneration of a caption below the threshold (LoVR, dynamic optimization)."""

    item = models.ForeignKey(RunItem, on_delete=models.CASCADE, related_name="refine_attempts")
    number = models.PositiveSmallIntegerField()
    model = models.ForeignKey(ModelSpec, on_delete=models.PROTECT, related_name="+")
    caption = models.OneToOneField(
        Caption, on_delete=models.CASCADE, null=True, related_name="refine_attempt"
    )
    score = models.FloatField(null=True)
    reason = models.CharField(max_length=500, blank=True, help_text="why there is no caption")
    reasoning = models.TextField(blank=True, help_text="what the model thought before its answer")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["item", "number"], name="refine_attempt_once"),
        ]

    def __str__(self) -> str:
        return f"{self.item} attempt {self.number}"


class FusionJoint(Dated):
    """Two neighboring paragraphs of a full-video caption and the model's version of them.

    `number` counts joints of the video from 0, between clip `number` and the next. If no reply had
    two non-empty paragraphs, the joint is left unchanged and flagged.
    """

    item = models.ForeignKey(RunItem, on_delete=models.CASCADE, related_name="fusion_joints")
    number = models.PositiveIntegerField()
    before = models.TextField()
    after = models.TextField()
    joined_before = models.TextField()
    joined_after = models.TextField()
    tries = models.PositiveSmallIntegerField(default=1)
    is_flagged = models.BooleanField(default=False)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["item", "number"], name="fusion_joint_once"),
        ]

    def __str__(self) -> str:
        return f"{self.item} joint {self.number}"
