"""Composed queries and their targets (TF-CoVR, section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from django.db import models
from django.db.models import Q

from annotate.models import Assignment, Clip, Project, User, Video
from annotate.models.dated import Dated
from review.modifications.models import Modification
from review.triplets.caps import Caps


class SplitOrigin(Dated):
    """How the source videos of a project got their current split: planned by shares of the clips
    and a seed, or read from `files`. A new split replaces it.
    """

    project = models.OneToOneField(
        Project, on_delete=models.CASCADE, primary_key=True, related_name="split_origin"
    )
    train_percent = models.PositiveSmallIntegerField(null=True)
    validation_percent = models.PositiveSmallIntegerField(null=True)
    test_percent = models.PositiveSmallIntegerField(null=True)
    seed = models.PositiveIntegerField(null=True)
    files = models.JSONField(default=list, help_text="the names of the files")
    min_sources = models.PositiveIntegerField(default=1, help_text="source videos per split")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    train_percent=None, validation_percent=None, test_percent=None, seed=None
                )
                | Q(
                    train_percent__isnull=False,
                    validation_percent__isnull=False,
                    test_percent__isnull=False,
                    seed__isnull=False,
                ),
                name="split_origin_planned_or_read",
            ),
        ]

    def __str__(self) -> str:
        return f"split of {self.project}"


class TripletSet(Dated):
    """One generation of triplets from the clips, splits and accepted modifications at that time.

    A composed query of validation or test has at most `most_targets` targets, drawn by `seed`. The
    train split has at most `most_per_query` targets of a query, `most_per_direction` triplets of a
    modification, and `train_triplets` in all, drawn by the seed and balanced over directions. In
    the splits of `other_sources`, no target is from the source video of the query clip.
    `done_up_to` is the key of the last modification whose triplets are stored, where a killed
    generation continues.
    """

    class State(models.TextChoices):
        RUNNING = "running"
        FINISHED = "finished"
        STOPPED = "stopped"  # `reason` says how to fix it

    class OtherSources(models.TextChoices):
        NONE = "", "In no split"
        TEST = "test", "In test"
        HELD_OUT = "held_out", "In validation and test"
        ALL = "all", "In every split"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="triplet_sets")
    number = models.PositiveIntegerField(help_text="counts a project's sets from 1")
    seed = models.PositiveIntegerField(default=0)
    most_targets = models.PositiveSmallIntegerField(default=10)
    other_sources = models.CharField(
        max_length=10, choices=OtherSources.choices, default=OtherSources.NONE, blank=True
    )
    test_queries = models.PositiveIntegerField(default=0, help_text="drawn by the seed; 0: all")
    most_per_query = models.PositiveIntegerField(default=0, help_text="of train; 0: no limit")
    most_per_direction = models.PositiveIntegerField(default=0, help_text="of train; 0: no limit")
    train_triplets = models.PositiveIntegerField(default=0, help_text="in all; 0: no limit")
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    reason = models.CharField(max_length=500, blank=True)
    done_up_to = models.PositiveBigIntegerField(default=0)
    triplet_count = models.PositiveIntegerField(default=0)
    files_sha256 = models.CharField(max_length=64, blank=True, help_text="of an imported set")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "number"], name="triplet_set_once_per_number"
            ),
            models.UniqueConstraint(
                fields=["project"],
                condition=Q(state="running"),
                name="triplet_set_one_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"triplets {self.number}"

    @property
    def caps(self) -> Caps:
        return Caps(self.most_per_query, self.most_per_direction, self.train_triplets)

    def keeps_sources_apart(self, split: str) -> bool:
        """Return whether the targets of this split's queries are from other source videos."""
        return split in SPLITS_APART[self.other_sources]


SPLITS_APART: dict[str, frozenset[str]] = {
    TripletSet.OtherSources.NONE: frozenset(),
    TripletSet.OtherSources.TEST: frozenset({Video.Split.TEST}),
    TripletSet.OtherSources.HELD_OUT: frozenset({Video.Split.VALIDATION, Video.Split.TEST}),
    TripletSet.OtherSources.ALL: frozenset(Video.Split.values),
}


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class TargetCount(TypedDict):
    target_count: int


class ComposedQueryQuerySet(models.QuerySet["ComposedQuery"]):
    def with_target_counts(self) -> models.QuerySet[WithAnnotations[ComposedQuery, TargetCount]]:
        """Annotate `target_count`."""
        queries: models.QuerySet[ComposedQuery] = self
        return queries.annotate(target_count=models.Count("targets"))


class ComposedQuery(models.Model):
    """A query clip with a modification; its targets are all in the same split as the clip.

    The database refuses a query or a triplet whose clip's source video is in another split.
    """

    triplets = models.ForeignKey(TripletSet, on_delete=models.CASCADE, related_name="queries")
    split = models.CharField(max_length=10, choices=Video.Split.choices)
    clip = models.ForeignKey(Clip, on_delete=models.PROTECT, related_name="+")
    modification = models.ForeignKey(Modification, on_delete=models.PROTECT, related_name="+")

    objects = ComposedQueryQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["triplets", "clip", "modification"], name="composed_query_once_per_set"
            ),
        ]
        indexes = [
            models.Index(fields=["triplets", "split", "id"], name="composed_query_by_split"),
        ]

    def __str__(self) -> str:
        return f"{self.clip} + {self.modification}"


class TripletHandOut(Dated):
    """One assignment of queries of a split to people. Rows never change.

    `queries` counts those that were new in the queue. In a random order each query without work was
    equally likely to be drawn by the seed, so that the drawn ones represent the split.
    """

    class Order(models.TextChoices):
        RANDOM = "random", "A random sample"
        MAX_TARGETS = "targets", "Those with the most targets"

    triplets = models.ForeignKey(TripletSet, on_delete=models.CASCADE, related_name="hand_outs")
    split = models.CharField(max_length=10, choices=Video.Split.choices)
    order = models.CharField(max_length=10, choices=Order.choices)
    seed = models.PositiveIntegerField(default=0)
    people = models.PositiveSmallIntegerField()
    queries = models.PositiveIntegerField()
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(order__in=["random", "targets"]), name="triplet_hand_out_order_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.queries} queries of {self.split}"


class Triplet(models.Model):
    """One valid target of a composed query; `place` counts them from 0, the primary one first."""

    query = models.ForeignKey(ComposedQuery, on_delete=models.CASCADE, related_name="targets")
    target = models.ForeignKey(Clip, on_delete=models.PROTECT, related_name="+")
    place = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["place", "id"]
        constraints = [
            models.UniqueConstraint(fields=["query", "target"], name="triplet_once"),
        ]

    def __str__(self) -> str:
        return f"{self.query} = {self.target}"


class TripletVerdict(Dated):
    """One person's judgment of a composed query and its targets. Rows never change.

    `is_right`: the modification states the change. `is_enough`: it suffices to recognize the
    targets. `is_needed`: it has no superfluous words. `corrected` is a better text, if given. An
    imported verdict has a `label` instead of a person.
    """

    query = models.ForeignKey(ComposedQuery, on_delete=models.CASCADE, related_name="verdicts")
    person = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="triplet_verdicts"
    )
    label = models.CharField(max_length=60, blank=True)
    assignment = models.OneToOneField(
        Assignment, on_delete=models.PROTECT, null=True, related_name="triplet_verdict"
    )
    is_right = models.BooleanField()
    is_enough = models.BooleanField()
    is_needed = models.BooleanField()
    corrected = models.CharField(max_length=300, blank=True)
    remark = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["query", "person"], name="triplet_verdict_once_per_person"
            ),
            models.UniqueConstraint(
                fields=["query", "label"],
                condition=~Q(label=""),
                name="triplet_verdict_once_per_label",
            ),
            models.CheckConstraint(
                condition=(Q(person=None, assignment=None) & ~Q(label=""))
                | Q(person__isnull=False, assignment__isnull=False, label=""),
                name="triplet_verdict_names_its_author",
            ),
        ]

    def __str__(self) -> str:
        return f"verdict on {self.query}"

    @property
    def made_by(self) -> str:
        """Return the person's name, or that of an imported annotator."""
        return str(self.person) if self.person is not None else f"{self.label} (imported)"


class TargetVerdict(models.Model):
    """Whether a clip is a valid target; `is_added`: the person added it, and no triplet has it."""

    verdict = models.ForeignKey(TripletVerdict, on_delete=models.CASCADE, related_name="targets")
    clip = models.ForeignKey(Clip, on_delete=models.PROTECT, related_name="+")
    is_valid = models.BooleanField()
    is_added = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["verdict", "clip"], name="target_verdict_once"),
            models.CheckConstraint(
                condition=Q(is_added=False) | Q(is_valid=True), name="added_target_is_valid"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.clip}: {'valid' if self.is_valid else 'no target'}"
