"""A sample of captions for people to judge, to draw conclusions about all captions."""

from __future__ import annotations

from django.db import models
from django.utils.formats import date_format

from annotate.models import Caption, Project, User, WorkItem
from annotate.models.dated import Dated
from inference.models import QualityScore

# The largest PositiveIntegerField on every database.
MAX_SEED = 2**31 - 1


class Study(Dated):
    """What is drawn by `seed`, and how many people judge each caption of it.

    - threshold: captions across the range of one scorer's scores, in `strata` parts of equal
      width, are verified (LoVR, appendix B.2).
      With more than 1 of `waves`, each is drawn when the `wave` before it is verified, with more
      captions where the threshold is uncertain; `undrawn` captions are still to come.
    - rating: captions of clips and of whole videos are rated 0 to 5, at most `per_rater` by one
      person (LoVR, appendix B.4).
    """

    class Kind(models.TextChoices):
        THRESHOLD = "threshold"
        RATING = "rating"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="studies")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    people = models.PositiveSmallIntegerField()
    seed = models.PositiveIntegerField(default=0)
    scorer = models.CharField(max_length=64, blank=True)
    scorer_name = models.CharField(max_length=200, blank=True)
    strata = models.PositiveSmallIntegerField(null=True)
    per_rater = models.PositiveIntegerField(null=True)
    waves = models.PositiveSmallIntegerField(default=1)
    wave = models.PositiveSmallIntegerField(default=1)
    undrawn = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="threshold", per_rater=None, strata__gt=0)
                & ~models.Q(scorer="")
                | models.Q(kind="rating", scorer="", strata=None, per_rater__gt=0),
                name="study_has_what_its_kind_needs",
            ),
            models.CheckConstraint(condition=models.Q(people__gt=0), name="study_asks_somebody"),
            models.CheckConstraint(
                condition=models.Q(wave__gt=0, waves__gt=models.F("wave"), undrawn__gt=0)
                | models.Q(wave__gt=0, waves=models.F("wave"), undrawn=0),
                name="study_draws_one_wave_after_another",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} study {self.pk}"

    @property
    def is_in_waves(self) -> bool:
        return self.waves > 1

    def title(self, captions: int) -> str:
        """Return a title that distinguishes it from others begun on the same day."""
        size = f"{captions:,} caption{'' if captions == 1 else 's'}"
        return f"Study {self.pk}, {date_format(self.created_at, 'j M Y')}, {size}"


class StudyCaption(models.Model):
    """A caption of the sample. It was drawn by `score` and `stratum`, from 0. `item` is the work
    that was opened for it, None if the labels came from elsewhere. In a study in waves,
    `probability` is that with which it was drawn in its `wave`, and `even` what it would have been
    by the plain design.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="captions")
    caption = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="studies")
    item = models.ForeignKey(
        WorkItem, on_delete=models.SET_NULL, null=True, related_name="study_captions"
    )
    score = models.ForeignKey(QualityScore, on_delete=models.PROTECT, null=True, related_name="+")
    stratum = models.PositiveSmallIntegerField(default=0)
    wave = models.PositiveSmallIntegerField(default=1)
    probability = models.FloatField(null=True)
    even = models.FloatField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["study", "caption"], name="study_caption_once"),
            models.CheckConstraint(
                condition=models.Q(probability=None, even=None)
                | models.Q(probability__gt=0, probability__lte=1, even__gt=0, even__lte=1),
                name="study_caption_had_a_chance",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.caption} in {self.study}"
