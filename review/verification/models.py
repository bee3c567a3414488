"""Stored judgments of machine captions, sentence by sentence (LoVR, appendix B.3)."""

from __future__ import annotations

from itertools import combinations

from django.db import models
from django.db.models import Q

from annotate.corpus.pieces import left_out_captions
from annotate.models import Assignment, Caption, Project, User
from annotate.models.dated import Dated
from annotate.programs import that_count

TYPE_CODES = ["#".join(letters) for n in range(5) for letters in combinations("ABCD", n)]


class VerificationQuerySet(models.QuerySet["Verification"]):
    def of_project(self, project: Project) -> VerificationQuerySet:
        """Return the verifications that count: without those of excluded videos, and of programs
        unless the project counts these."""
        return that_count(self.by_anyone(project), project, "reviewer")

    def by_anyone(self, project: Project) -> VerificationQuerySet:
        """Return the verifications of `of_project`, with those of programs."""
        left_out = left_out_captions(project).values("pk")
        return self.filter(project=project).exclude(caption__in=left_out)

    def for_list(self) -> VerificationQuerySet:
        """Return the verifications, newest first, with clip and reviewer, without the text."""
        return (
            self.select_related("caption__clip", "reviewer")
            .defer("caption__text", "caption__parts", "caption__provenance", "caption__checks")
            .order_by("-pk")
        )

    def for_page(self) -> VerificationQuerySet:
        return self.select_related(
            "caption__clip__video",
            "caption__author",
            "caption__correction_decision",
            "corrected",
            "reviewer",
        ).prefetch_related("verdicts", "missing_segments")

    def for_table(self) -> VerificationQuerySet:
        """Return the verifications in the order they were made, with all data of the annotation
        table.
        """
        return (
            self.select_related("caption__clip", "reviewer")
            .prefetch_related("verdicts", "missing_segments")
            .order_by("pk")
        )


class Verification(Dated):
    """Rows are never changed. `splitter` names the rule that cut the caption into sentences.

    A#B can count as one content error or two: `content_errors` counts A, B and C each,
    `content_error_sentences` a sentence once. `corrected` is the corrected caption, None if nothing
    changed. The annotator of an imported table is a `label` without an account.
    """

    project = models.ForeignKey(
        Project,
        on_delete=models.CASCADE,
        related_name="verifications",
        db_index=False,
        help_text="the caption's",
    )
    caption = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="verifications")
    reviewer = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="verifications"
    )
    label = models.CharField(max_length=60, blank=True)
    assignment = models.OneToOneField(
        Assignment, on_delete=models.PROTECT, null=True, related_name="verification"
    )
    corrected = models.OneToOneField(
        Caption, on_delete=models.PROTECT, null=True, related_name="corrected_by"
    )
    saw_pre_tags = models.BooleanField(
        null=True, help_text="whether a program's tags were shown; null if there were none to show"
    )
    splitter = models.CharField(max_length=60)
    fits_theme = models.BooleanField()
    sentences = models.PositiveIntegerField()
    errors_a = models.PositiveIntegerField()
    errors_b = models.PositiveIntegerField()
    errors_c = models.PositiveIntegerField()
    content_errors = models.PositiveIntegerField(help_text="A, B and C, each counted")
    content_error_sentences = models.PositiveIntegerField(help_text="with A, B or C, each once")
    topic_errors = models.PositiveIntegerField(help_text="sentences with D")

    objects = VerificationQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["project", "id"], name="verification_by_age")]
        constraints = [
            models.UniqueConstraint(
                fields=["caption", "reviewer"], name="verification_once_per_person"
            ),
            models.UniqueConstraint(
                fields=["caption", "label"],
                condition=~Q(label=""),
                name="verification_once_per_label",
            ),
            models.CheckConstraint(
                condition=(Q(reviewer=None) & ~Q(label="")) | Q(reviewer__isnull=False, label=""),
                name="verification_names_its_author",
            ),
            models.CheckConstraint(
                condition=Q(
                    content_errors=models.F("errors_a")
                    + models.F("errors_b")
                    + models.F("errors_c")
                ),
                name="verification_counts_add_up",
            ),
            models.CheckConstraint(
                condition=Q(
                    content_error_sentences__lte=models.F("content_errors"),
                    content_errors__lte=3 * models.F("content_error_sentences"),
                    topic_errors__lte=models.F("sentences"),
                )
                & Q(content_error_sentences__lte=models.F("sentences")),
                name="verification_counts_within_sentences",
            ),
        ]

    def __str__(self) -> str:
        return f"verification of {self.caption}"

    @property
    def made_by(self) -> str:
        """Return the person's name, or the label of an imported table."""
        return str(self.reviewer) if self.reviewer is not None else self.label


class SentenceVerdict(models.Model):
    """The verdict on the sentence `caption.text[start:end]`; `number` counts from 0.

    `types` joins them as the paper does (`A#B`), empty for ok. The frames are those that the
    sentence is about, if marked: frames of the clip, half-open.
    """

    verification = models.ForeignKey(
        Verification, on_delete=models.CASCADE, related_name="verdicts"
    )
    number = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    types = models.CharField(max_length=7, blank=True)
    correction = models.TextField(blank=True)
    is_deleted = models.BooleanField(default=False)
    start_frame = models.PositiveIntegerField(null=True)
    end_frame = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["verification", "number"], name="sentence_verdict_once"
            ),
            models.CheckConstraint(
                condition=Q(types__in=TYPE_CODES), name="sentence_verdict_types_known"
            ),
            models.CheckConstraint(
                condition=Q(is_deleted=False) | Q(correction=""),
                name="sentence_verdict_one_correction",
            ),
            models.CheckConstraint(
                condition=~Q(types__in=["", "C"]) | Q(is_deleted=False, correction=""),
                name="sentence_verdict_ok_stays",
            ),
            models.CheckConstraint(
                condition=Q(start__lt=models.F("end")), name="sentence_verdict_has_text"
            ),
            models.CheckConstraint(
                # Without the two checks for null, a single frame would make the condition null,
                # which passes.
                condition=Q(start_frame__isnull=True, end_frame__isnull=True)
                | Q(
                    start_frame__isnull=False,
                    end_frame__isnull=False,
                    start_frame__lt=models.F("end_frame"),
                ),
                name="sentence_verdict_whole_span",
            ),
        ]

    def __str__(self) -> str:
        return f"sentence {self.number + 1}: {self.types or 'ok'}"


class MissingSegment(models.Model):
    """Something that the caption leaves out. It belongs before the sentence with number `place`,
    from 0, or at the end. The frames are the clip's, half-open.
    """

    verification = models.ForeignKey(
        Verification, on_delete=models.CASCADE, related_name="missing_segments"
    )
    place = models.PositiveIntegerField()
    text = models.TextField()
    start_frame = models.PositiveIntegerField()
    end_frame = models.PositiveIntegerField()

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(
                fields=["verification", "place"], name="missing_segment_once_per_place"
            ),
            models.CheckConstraint(
                condition=Q(start_frame__lt=models.F("end_frame")),
                name="missing_segment_has_frames",
            ),
        ]

    def __str__(self) -> str:
        return f"missing at {self.place}"
