"""Files that are being imported and become videos."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotate.models.corpus import Video
from annotate.models.jobs import AbstractJobItem, Job

IMPORT_VIDEOS = "import"
DISMISSED = "dismissed"
# The code of a copy of a file that the project has.
DUPLICATE = "duplicate"
# Codes of failed files that nobody has to look at any more.
SETTLED = ("cancelled", DISMISSED, DUPLICATE)


class ImportBatch(Job):
    """The job of one upload, or of one run of import_videos.

    Files are added one by one, so it counts as planned from the start, and each further file makes
    it active again.
    """

    def __str__(self) -> str:
        return f"Import {self.pk}"


class ImportItem(AbstractJobItem):
    """One file that is being imported. Its Video is created only when everything has worked.

    Its bytes come from a browser, or a worker downloads them from `address`; once all are there,
    `stored_file` names them. A refused file has failed, and so has one that somebody canceled, with
    the code `cancelled`, or dismissed after it was refused, with the code `dismissed`.
    """

    batch = models.ForeignKey(ImportBatch, on_delete=models.CASCADE, related_name="items")
    name = models.CharField(max_length=200)
    size = models.BigIntegerField(help_text="bytes, as announced")
    received = models.BigIntegerField(default=0, help_text="bytes that have arrived")
    received_at = models.DateTimeField(default=timezone.now, help_text="when the last did")
    address = models.CharField(max_length=500, blank=True, help_text="where a worker gets it")
    etag = models.CharField(max_length=200, blank=True, help_text="the host's tag of the file")
    stored_file = models.CharField(max_length=300, blank=True, help_text="name in the storage")
    category = models.CharField(max_length=100, blank=True)
    subcategory = models.CharField(max_length=100, blank=True)
    license = models.CharField(max_length=120, blank=True)
    source_url = models.URLField(max_length=500, blank=True)
    progress = models.PositiveSmallIntegerField(default=0, help_text="percent")
    video = models.ForeignKey(
        Video, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta(AbstractJobItem.Meta):
        constraints = [
            models.UniqueConstraint(fields=["batch", "position"], name="import_row_once_per_batch"),
            models.CheckConstraint(
                condition=models.Q(progress__lte=100), name="import_progress_is_percent"
            ),
        ]
        indexes = [models.Index(fields=["batch", "state", "position"], name="import_by_state")]

    def __str__(self) -> str:
        return self.name
