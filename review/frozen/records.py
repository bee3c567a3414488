"""Judgments of a release's captions, and the run that made each caption. Rows never change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models
from django.db.models import Q

from annotate.models import Caption, Video
from review.frozen.models import Release


class ReleasedRecord(models.Model):
    """A line that a release froze: of a JSONL file of the format `native`, about a caption or about
    a video.

    `values` has its fields by name. Where the line has the number of a caption in the release, they
    have the caption's key.
    """

    class File(models.TextChoices):
        ORIGINS = "origins"
        VERIFICATIONS = "verifications"
        RATINGS = "ratings"
        SIGN_OFFS = "sign_offs"
        PICKS = "picks"
        DYNAMICS = "dynamics"

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="records")
    file = models.CharField(max_length=20, choices=File.choices)
    caption = models.ForeignKey(Caption, on_delete=models.PROTECT, null=True, related_name="+")
    video = models.ForeignKey(Video, on_delete=models.PROTECT, null=True, related_name="+")
    values = models.JSONField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(caption__isnull=False, video=None)
                | Q(caption=None, video__isnull=False),
                name="releasedrecord_of_one_thing",
            ),
        ]
        indexes = [models.Index(fields=["release", "file", "id"], name="released_record_by_file")]

    def __str__(self) -> str:
        return f"{self.file} {self.pk}"


# The fields with captions of a line, by file. Those of MAYBE can be null.
OF_CAPTIONS = {
    ReleasedRecord.File.ORIGINS.value: ("caption",),
    ReleasedRecord.File.VERIFICATIONS.value: ("caption", "corrected"),
    ReleasedRecord.File.RATINGS.value: ("caption",),
    ReleasedRecord.File.SIGN_OFFS.value: ("caption", "spatial_caption", "temporal_caption"),
    ReleasedRecord.File.PICKS.value: ("caption", "picked"),
}
MAYBE = ("corrected", "picked")


def map_captions(
    file: str, values: Mapping[str, Any], caption_of: Callable[[int], int | None]
) -> dict[str, Any] | None:
    """Return the values with captions mapped by `caption_of`; None if it has none for a required
    one."""
    mapped = dict(values)
    for name in OF_CAPTIONS.get(file, ()):
        if mapped[name] is not None:
            mapped[name] = caption_of(mapped[name])
        if mapped[name] is None and name not in MAYBE:
            return None
    return mapped
