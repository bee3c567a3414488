"""Projects with their rules, and the events in them."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from annotate.models.dated import Dated
from annotate.models.people import User
from annotate.protocols import DEFAULT, Protocol, protocol_of


class ProjectQuerySet(models.QuerySet["Project"]):
    def lock(self, key: int) -> Project:
        """Lock the project, so that what locks it happens one after another, and return it as it is
        now. Rows that refer to it can be stored meanwhile."""
        return self.select_for_update(no_key=True).get(pk=key)


class Project(Dated):
    class StudyCorrections(models.TextChoices):
        DECIDE = "decide", "An expert accepts them"
        KEEP_OUT = "keep_out", "Keep them out"

    class PreTags(models.TextChoices):
        OFF = "off", "Never"
        AFTER = "after", "After a person has decided the sentence"
        BEFORE = "before", "Before, as suggestions"

    class AssignedWork(models.TextChoices):
        OFF = "off", "From all subcategories"
        FIRST = "first", "Assigned subcategories first"
        ONLY = "only", "Assigned subcategories only"

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    protocol = models.CharField(max_length=20, default=DEFAULT)
    license = models.CharField(max_length=120, blank=True)
    is_simulated = models.BooleanField(
        default=False, help_text="whether its labels are made up, to try the pages"
    )
    counts_programs = models.BooleanField(
        default=False, help_text="whether reports count the work of programs like people's"
    )
    pre_tags = models.CharField(
        max_length=6,
        choices=PreTags.choices,
        default=PreTags.OFF,
        help_text="when people who verify see what a program found in the caption",
    )
    intervals_hold_at_every_look = models.BooleanField(
        default=False, help_text="whether cards show intervals for those who look again and again"
    )
    show_machine_draft = models.BooleanField(
        default=False, help_text="whether the Write page offers what a model wrote about the clip"
    )
    study_corrections = models.CharField(
        max_length=10, choices=StudyCorrections.choices, default=StudyCorrections.DECIDE
    )
    min_words = models.PositiveIntegerField(default=150, validators=[MinValueValidator(1)])
    max_words = models.PositiveIntegerField(
        default=300, validators=[MinValueValidator(1), MaxValueValidator(5000)]
    )
    writers_per_clip = models.PositiveSmallIntegerField(
        default=2, validators=[MinValueValidator(1), MaxValueValidator(2)]
    )
    assigned_work = models.CharField(
        max_length=10, choices=AssignedWork.choices, default=AssignedWork.OFF
    )
    can_choose_work = models.BooleanField(
        default=False, help_text="whether people may choose what they write, merge and split next"
    )
    sign_offs = models.PositiveSmallIntegerField(
        default=0,
        validators=[MaxValueValidator(2)],
        help_text="experts who check the final texts of each clip",
    )
    sign_offs_block = models.BooleanField(
        default=True, help_text="a release waits for the sign-offs of all its clips"
    )
    min_modification_words = models.PositiveSmallIntegerField(
        default=2, validators=[MinValueValidator(1), MaxValueValidator(60)]
    )
    max_modification_words = models.PositiveSmallIntegerField(
        default=19, validators=[MinValueValidator(1), MaxValueValidator(60)]
    )
    quota_min = models.PositiveIntegerField(default=10)
    quota_max = models.PositiveIntegerField(default=20)
    recall_by_human = models.BooleanField(
        default=True, help_text="recall and ReBias count human captions only, where there are any"
    )
    min_clip_seconds = models.FloatField(
        default=0.5,
        validators=[MinValueValidator(0), MaxValueValidator(3600)],
        help_text="shorter videos are refused, and shorter clips aren't written about",
    )
    min_frame_side = models.PositiveIntegerField(
        default=64,
        validators=[MinValueValidator(1), MaxValueValidator(1080)],
        help_text="of a picture's shorter side, in pixels; smaller videos are refused",
    )
    lease_minutes = models.PositiveIntegerField(
        default=30, validators=[MinValueValidator(1), MaxValueValidator(24 * 60)]
    )
    currency = models.CharField(
        max_length=3, blank=True, help_text="ISO 4217, of what people earn; empty if nobody is paid"
    )
    archived_at = models.DateTimeField(
        null=True, editable=False, help_text="since when it hands out no work"
    )

    objects = ProjectQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(min_words__lte=models.F("max_words")),
                name="project_word_limits_in_order",
            ),
            models.CheckConstraint(
                condition=models.Q(min_modification_words__lte=models.F("max_modification_words")),
                name="project_modification_words_in_order",
            ),
            models.CheckConstraint(
                condition=models.Q(quota_min__lte=models.F("quota_max")),
                name="project_quota_in_order",
            ),
            models.CheckConstraint(
                condition=models.Q(sign_offs__lte=2), name="project_sign_offs_at_most_two"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def pipeline(self) -> Protocol:
        """Return the project's protocol as data. Raises KeyError if it isn't registered."""
        return protocol_of(self.protocol)


class AuditEvent(models.Model):
    """Who did what to which object, and its values before and after. Triggers forbid changing and
    deleting rows; those of a deleted project keep its key.
    """

    project = models.ForeignKey(
        Project,
        on_delete=models.DO_NOTHING,
        null=True,
        related_name="audit_events",
        db_constraint=False,
    )
    actor = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    verb = models.CharField(max_length=60)
    object_type = models.CharField(max_length=40)
    object_id = models.BigIntegerField()
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["object_type", "object_id"], name="audit_by_object")]

    def __str__(self) -> str:
        return f"{self.verb} {self.object_type} {self.object_id}"
