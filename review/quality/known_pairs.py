"""Which known pairs of captions a person may get (`review/comparisons/gold.py`)."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from annotate.models import Assignment, Project, User, WorkItem
from review.comparisons.gold import gold_for, known_pairs, not_judged_by
from review.comparisons.models import CaptionPair
from review.comparisons.pairing import running_round
from review.quality.models import KnownAnswer


def votes_on_new_pairs(work: QuerySet[Assignment], project: Project) -> QuerySet[Assignment]:
    """Return the votes whose pair can become a known one: not a repeat, and not known already, as
    the pair of another vote on the same captions may be."""
    caption_pairs = CaptionPair.objects.filter(round__project=project, repeat_of=None).order_by()
    known_items = WorkItem.with_known_answers.filter(
        project=project, kind="compare", known_answer__is_used=True
    )
    here = CaptionPair.objects.filter(pk__in=known_items.values("subject"), clip=OuterRef("clip"))
    sides = ("left__caption", "right__caption")
    for left, right in (sides, sides[::-1]):
        same = {left: OuterRef("left__caption"), right: OuterRef("right__caption")}
        caption_pairs = caption_pairs.exclude(Exists(here.filter(**same)))
    return work.filter(item__subject__in=caption_pairs.values("pk"))


def training_pairs(answers: QuerySet[KnownAnswer], person: User) -> QuerySet[KnownAnswer]:
    """Exclude pairs that the person has compared, or whose authors they know."""
    sources = CaptionPair.objects.filter(pk__in=answers.order_by().values("item__subject"))
    return answers.filter(item__subject__in=not_judged_by(person, sources).values("pk"))


def gold_pairs(
    answers: QuerySet[KnownAnswer], project: Project, person: User
) -> QuerySet[KnownAnswer]:
    """Return the pairs that the running round can still open as gold for this person."""
    round = running_round(project.pk)
    if round is None:
        return answers.none()
    sources = set(answers.values_list("item__subject", flat=True))
    pairs = gold_for(round, person, sources)
    return answers.filter(item__subject__in=[pair.source for pair in pairs])


class InRound(NamedTuple):
    """How many of the known pairs a round has."""

    round: str
    pairs: int


def pairs_in_running_round(answers: QuerySet[KnownAnswer], project: Project) -> InRound | None:
    """Return how many of these pairs the running round has; None if no round is running."""
    round = running_round(project.pk)
    if round is None:
        return None
    sources = set(answers.values_list("item__subject", flat=True))
    return InRound(str(round), sum(pair.source in sources for pair in known_pairs(round)))
