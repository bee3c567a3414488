"""Blind choices between two models' captions of one clip (CaReBench, appendix C)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.functional import cached_property

from annotate.models import Assignment, Caption, Clip, Project, User
from annotate.models.dated import Dated
from review.captions.models import CaptionSet


class Round(Dated):
    """A round: the compared models, the clips, and how votes count.

    The round collects votes until every pair of models has `votes_per_pair`. Of a reviewer's votes,
    `repeat_percent` repeat an earlier pair with the sides swapped; of a pair's votes,
    `shared_percent` are on a clip for which another reviewer has compared it. `elo` has the
    settings of the paper's Table 13; the SD of 300 has no effect.
    """

    class NamesShown(models.TextChoices):
        AFTER_VOTE = "after_vote", "to reviewers who ask, after they vote"
        AFTER_ROUND = "after_round", "once the round has ended"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="rounds")
    kind = models.CharField(max_length=10, choices=Caption.Kind.choices)
    seed = models.PositiveIntegerField(default=0)
    votes_per_pair = models.PositiveIntegerField()
    repeat_percent = models.PositiveSmallIntegerField(default=5)
    shared_percent = models.PositiveSmallIntegerField(default=10)
    names_shown = models.CharField(
        max_length=12, choices=NamesShown.choices, default=NamesShown.AFTER_VOTE
    )
    elo = models.JSONField(default=dict)
    both_bad_is_tie = models.BooleanField(default=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project"], condition=Q(ended_at=None), name="round_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(votes_per_pair__gt=0, repeat_percent__lte=50, shared_percent__lte=100),
                name="round_asks_for_votes",
            ),
        ]

    def __str__(self) -> str:
        return f"Round {self.number}"

    @cached_property
    def number(self) -> int:
        """The round's number in its project, from 1, for display. Lists get it from `numbered`."""
        rounds = Round.objects.filter(project=self.project_id, pk__lte=self.pk)
        return rounds.order_by().count()


class System(models.Model):
    """A model in a round. `name` is its name when the round began."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="systems")
    caption_set = models.ForeignKey(CaptionSet, on_delete=models.PROTECT, related_name="systems")
    name = models.CharField(max_length=80)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["round", "caption_set"], name="system_once"),
            models.UniqueConstraint(fields=["round", "name"], name="system_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class RoundClip(models.Model):
    """A clip of the round; `place` is its position in the order shuffled by the round's seed."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="clips")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="+")
    place = models.PositiveIntegerField()

    class Meta:
        ordering = ["place"]
        constraints = [models.UniqueConstraint(fields=["round", "clip"], name="round_clip_once")]

    def __str__(self) -> str:
        return f"{self.clip} in {self.round}"


class SystemCaption(models.Model):
    """A system's caption of a clip. If `names_its_model` isn't empty, it has the words that
    reveal the model; then the caption is never shown to a reviewer, and votes on it don't count.
    """

    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="captions")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="+")
    caption = models.ForeignKey(Caption, on_delete=models.CASCADE, related_name="+")
    names_its_model = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["system", "clip"], name="system_caption_once")
        ]

    def __str__(self) -> str:
        return f"{self.system} about {self.clip}"


class SystemPair(models.Model):
    """A pair of systems, and how often reviewers were given it.

    `clips`: clips for which both have a caption that can be shown. `given`: their caption pairs
    without repeats. `first_left`: those with the first system on the left. `decided`: current
    votes. `first_points`: the first system's points, 1 for a win and 0.5 for a tie.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairs")
    first = models.ForeignKey(System, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(System, on_delete=models.CASCADE, related_name="+")
    clips = models.PositiveIntegerField()
    given = models.PositiveIntegerField(default=0)
    first_left = models.PositiveIntegerField(default=0)
    decided = models.PositiveIntegerField(default=0)
    first_points = models.FloatField(default=0)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="system_pair_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="system_pair_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.first} and {self.second}"


class RealCaptionPairs(models.Manager["CaptionPair"]):
    """The caption pairs whose votes can count, without gold."""

    def get_queryset(self) -> models.QuerySet[CaptionPair]:
        return super().get_queryset().filter(gold_of=None)


class CaptionPair(Dated):
    """Two captions of a clip, left and right, for one reviewer.

    Imported votes have a `label` instead of a reviewer. `repeat_of` is the reviewer's earlier pair
    that this one repeats with the sides swapped. Once the names are shown, votes on it are neither
    accepted nor changed. `pair`: the systems that wrote the captions.

    `gold_of`: the source pair with the known vote, for gold. Votes on gold never count, so
    `objects` excludes it; `with_known_answers` has all caption pairs.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="caption_pairs")
    pair = models.ForeignKey(SystemPair, on_delete=models.CASCADE, related_name="caption_pairs")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="caption_pairs")
    left = models.ForeignKey(SystemCaption, on_delete=models.CASCADE, related_name="+")
    right = models.ForeignKey(SystemCaption, on_delete=models.CASCADE, related_name="+")
    reviewer = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="caption_pairs"
    )
    label = models.CharField(max_length=80, blank=True)
    repeat_of = models.OneToOneField(
        "self", on_delete=models.CASCADE, null=True, related_name="repeat"
    )
    # Without an index, which SQLite would use for every query without gold.
    gold_of = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, related_name="gold", db_index=False
    )
    names_shown_at = models.DateTimeField(null=True)

    objects = RealCaptionPairs()
    with_known_answers = models.Manager["CaptionPair"]()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["reviewer", "pair", "clip"],
                condition=Q(repeat_of=None),
                name="caption_pair_once_per_reviewer",
            ),
            models.CheckConstraint(
                condition=Q(reviewer=None) & ~Q(label="") | Q(reviewer__isnull=False, label=""),
                name="caption_pair_before_somebody",
            ),
            models.CheckConstraint(
                condition=~Q(left=F("right")), name="caption_pair_of_two_captions"
            ),
        ]
        indexes = [
            models.Index(fields=["pair", "clip"], name="caption_pair_by_clip"),
            models.Index(fields=["reviewer", "clip"], name="caption_pair_by_reviewer"),
        ]

    def __str__(self) -> str:
        return f"caption pair {self.pk}"


class VoteQuerySet(models.QuerySet["Vote"]):
    def current(self) -> models.QuerySet[Vote]:
        """Exclude votes that their reviewer has changed."""
        return self.filter(correction=None)


class RealVotes(models.Manager["Vote"]):
    """The votes that can count, without those on gold."""

    def get_queryset(self) -> models.QuerySet[Vote]:
        return super().get_queryset().filter(caption_pair__gold_of=None)


class Vote(Dated):
    """One vote. Rows are never changed: a changed vote is a new row that `corrects` the old one.

    `objects` leaves out votes on gold; `with_known_answers` has all
    votes.
    """

    class Outcome(models.TextChoices):
        LEFT = "left", "Left is better"
        RIGHT = "right", "Right is better"
        TIE = "tie", "Both are good"
        BOTH_BAD = "both_bad", "Both are bad"

    class Reason(models.TextChoices):
        CORRECT = "correct", "More of it is right"
        COMPLETE = "complete", "It tells more"
        ORDER = "order", "The order is right"
        CLEAR = "clear", "It is easier to follow"
        NAMES_MODEL = "names_model", "A caption names its model"

    caption_pair = models.ForeignKey(CaptionPair, on_delete=models.PROTECT, related_name="votes")
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, null=True, related_name="votes"
    )
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    reasons = models.JSONField(default=list)
    remark = models.TextField(blank=True)
    corrects = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="correction"
    )

    objects = RealVotes.from_queryset(VoteQuerySet)()
    with_known_answers = VoteQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["caption_pair"],
                condition=Q(corrects=None),
                name="vote_once_per_caption_pair",
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=["left", "right", "tie", "both_bad"]),
                name="vote_outcome_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.outcome} of {self.caption_pair}"
