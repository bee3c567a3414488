"""Texts about clips. A caption never changes: an edit makes a new caption with a parent."""

from __future__ import annotations

from django.db import models

from annotate.models.corpus import Clip
from annotate.models.dated import Dated
from annotate.models.people import User
from annotate.models.projects import Project


class Caption(Dated):
    """A text about a clip; the database refuses an UPDATE of a row.

    `parts` has the four parts of a Stage-I text, and `text` has them joined. `provenance` has the
    source of each merged sentence; `[{"machine_draft": key}]` for a write-up whose author opened a
    machine's draft; `[{"label": name}]` for a caption that somebody without an account corrected;
    and `[{"data_set": name}]` for a human caption of a published data set. A caption that came with
    a release has its name as `release` there, and its person's pseudonym as `label`. `checks` has
    the open warnings of the submitted caption, and whether its author dismissed each, or the
    conflicts of a merge, and whether the expert looked at each. `spans` has the frames of the
    sentences that somebody tied to time (`annotate/text/spans.py`); None for none.
    """

    class Kind(models.TextChoices):
        GENERAL = "general"
        SPATIAL = "spatial"
        TEMPORAL = "temporal"
        FULL_VIDEO = "full_video"
        PREDICTION = "prediction"  # by a model under evaluation; not part of the benchmark
        # A correction from a study that counts errors. It is not part of the benchmark unless an
        # expert accepts it, which makes a new caption.
        PROPOSAL = "proposal"
        # A further human text of a published data set about a clip. The first text is the clip's
        # caption and the parent of this one.
        REFERENCE = "reference"

    class Source(models.TextChoices):
        HUMAN = "human"
        MERGED = "merged"
        CORRECTED = "corrected"
        MACHINE = "machine"
        IMPORTED = "imported"
        PUBLISHED = "published", "human caption of a published data set"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="captions")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="captions")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    source = models.CharField(max_length=10, choices=Source.choices)
    text = models.TextField()
    parts = models.JSONField(default=dict)
    provenance = models.JSONField(default=list)
    checks = models.JSONField(default=list)
    # Without a default, so that SQLite adds the column without rebuilding the table.
    spans = models.JSONField(null=True)
    word_count = models.PositiveIntegerField()
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="captions")
    assignment = models.ForeignKey(
        "annotate.Assignment", on_delete=models.PROTECT, null=True, related_name="captions"
    )
    parents = models.ManyToManyField("self", symmetrical=False, related_name="children")

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["clip", "kind", "source"], name="caption_by_clip"),
            # Has all columns of the daily count, so that it reads no texts.
            models.Index(fields=["project", "created_at", "kind", "source"], name="caption_by_day"),
            models.Index(fields=["project", "kind", "source", "clip"], name="caption_by_source"),
            # Finds the newest caption among any number of predictions. With the columns that decide
            # who may read a caption, PostgreSQL reads only this index; SQLite leaves them out.
            models.Index(
                fields=["project", "-id"],
                name="caption_newest",
                include=["kind", "source", "word_count", "clip", "author"],
                condition=models.Q(kind__in=["general", "full_video"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} caption {self.pk} ({self.source})"

    @property
    def written_by(self) -> str:
        """Return the name of a person or model, or say that the text was imported."""
        if self.author is not None:
            return str(self.author)
        if self.provenance and "model" in self.provenance[0]:
            return str(self.provenance[0]["model"])
        if self.source == self.Source.PUBLISHED:
            return f"Imported from {self.data_set}"
        if self.provenance and "label" in self.provenance[0]:
            return str(self.provenance[0]["label"])
        return "Imported" if self.source == self.Source.IMPORTED else "A model"

    @property
    def data_set(self) -> str:
        """Return the published data set that the text comes from; empty for other texts."""
        is_published = self.source == self.Source.PUBLISHED and self.provenance
        return str(self.provenance[0].get("data_set", "")) if is_published else ""


class CaptionRank(models.Model):
    """The part of a caption's rank that its source doesn't determine
    (`annotate/corpus/precedence.py`).

    `rank` replaces the rank of the source unless it is None. `is_chosen`: an admin made the caption
    current, or a person wrote it after that.
    """

    class Rank(models.IntegerChoices):
        RECORD = 0, "never current"
        MACHINE = 1, "machine"
        ACCEPTED = 2, "accepted machine text"
        CORRECTED = 3, "corrected"
        FINAL = 4, "a person's final text"
        CHOSEN = 5, "chosen by an admin"

    class Because(models.TextChoices):
        WRITE_UP = "write_up", "one of the write-ups that a merge is made of"
        LATE = "late", "submitted after its clip had another caption"
        REFINED = "refined", "reached the threshold of a refine run"
        VERIFIED = "verified", "left as it is by a person who verified it"
        NOT_BETTER = "not_better", "failed in a refine run, scoring no higher than the one before"

    caption = models.OneToOneField(Caption, on_delete=models.CASCADE, related_name="given")
    rank = models.PositiveSmallIntegerField(choices=Rank.choices, null=True)
    because = models.CharField(max_length=12, choices=Because.choices, blank=True)
    is_chosen = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(rank=None, because="", is_chosen=True)
                | models.Q(rank__isnull=False) & ~models.Q(because=""),
                name="caption_rank_says_something",
            ),
        ]

    def __str__(self) -> str:
        return f"rank of {self.caption}"
