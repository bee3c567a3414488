"""The queries of a release in TF-CoVR's form, and their texts."""

from __future__ import annotations

from django.db import models

from annotate.models import Video
from review.frozen.models import Release, ReleasedLabel, ReleasedTripletClip


class ReleasedModification(models.Model):
    """The text from one label to another in a release. `provenance` says who or what wrote it, and
    under numbers instead of names, who accepted it and judged the pair."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="modifications")
    source = models.ForeignKey(ReleasedLabel, on_delete=models.CASCADE, related_name="+")
    target = models.ForeignKey(ReleasedLabel, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10)
    text = models.CharField(max_length=300)
    provenance = models.JSONField(default=dict)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "source", "target", "text"], name="released_modification_once"
            ),
        ]

    def __str__(self) -> str:
        return self.text


class ReleasedQuery(models.Model):
    """One composed query of a release. `number` counts those of its split from 0.

    `text` is that of the modification, or the majority's correction; `targets` are numbers of
    clips, the primary one first. `verdicts` are people's, with numbers instead of names.
    """

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="queries")
    split = models.CharField(max_length=10, choices=Video.Split.choices)
    number = models.PositiveIntegerField()
    clip = models.ForeignKey(ReleasedTripletClip, on_delete=models.CASCADE, related_name="+")
    modification = models.ForeignKey(
        ReleasedModification, on_delete=models.CASCADE, related_name="queries"
    )
    text = models.CharField(max_length=300)
    targets = models.JSONField()
    target_count = models.PositiveIntegerField()
    verdicts = models.JSONField(default=list)
    is_verified = models.BooleanField()

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "released queries"
        constraints = [
            models.UniqueConstraint(
                fields=["release", "split", "number"], name="released_query_once_per_number"
            ),
            models.UniqueConstraint(
                fields=["release", "clip", "modification"], name="released_query_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.split} {self.number}"
