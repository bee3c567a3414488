"""The pairs that a reviewer was given in a round, the pairs that they can't get, and the work items
that are opened for them: counting them and taking them back.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connection
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from annotate.models import Assignment, Membership, Project, User, WorkItem
from annotate.programs import that_count
from annotate.rules import rules_for
from review.comparisons.blindness import clips_named_before
from review.comparisons.gold import known_clips
from review.comparisons.models import CaptionPair, Round, SystemPair

# A caption pair that nobody starts is released, so that its systems no longer count as given.
PATIENCE = timedelta(days=1)


class Given(NamedTuple):
    """A pair that the reviewer was given in the round, real or gold."""

    key: int
    pair: int
    clip: int
    names_shown_at: datetime | None
    repeat_of: int | None
    gold_of: int | None


class LeftOut:
    """The clips for which a reviewer never compares a pair of the round, by pair: `named` if
    another round has shown them the author of one of the captions, `known_clips` if the right vote
    is known. `has_gold`: whether the project asks people gold."""

    def __init__(self, round: Round, membership: Membership) -> None:
        by_system = clips_named_before(membership.user, round)
        pairs = SystemPair.objects.filter(round=round).values_list("pk", "first", "second")
        self.named = {pair: by_system[first] | by_system[second] for pair, first, second in pairs}
        self.known_clips = known_clips(round)
        self.has_gold = has_gold(membership)

    def clips(self, pair: int) -> set[int]:
        return self.named[pair] | self.known_clips.get(pair, set())


def has_gold(membership: Membership) -> bool:
    """Return whether there is gold among the comparisons of the project."""
    return rules_for(membership.project, "compare").has_gold


def given_before(round: Round, reviewer: User) -> list[Given]:
    """Return the reviewer's pairs, oldest first. Filtered in Python, because with a filter by
    round or repeats SQLite reads the pairs of all reviewers.
    """
    own = CaptionPair.with_known_answers.filter(reviewer=reviewer).order_by()
    columns = "round", "pk", "pair", "clip", "names_shown_at", "repeat_of", "gold_of"
    return sorted(Given(*row) for of, *row in own.values_list(*columns) if of == round.pk)


def clips_with_names(before: Sequence[Given]) -> set[int]:
    return {caption_pair.clip for caption_pair in before if caption_pair.names_shown_at}


def clips_left(round: Round, before: Sequence[Given], left_out: LeftOut) -> dict[int, int]:
    """Return for how many clips the reviewer can still compare each pair. The number can be one too
    high for each clip whose names they have seen, if the pair lacks captions of it.
    """
    compared: dict[int, set[int]] = {}
    for caption_pair in before:
        compared.setdefault(caption_pair.pair, set()).add(caption_pair.clip)
    names_seen = clips_with_names(before)
    pairs = SystemPair.objects.filter(round=round).values_list("pk", "clips")
    return {
        pair: max(0, clips - len(compared.get(pair, set()) | names_seen | left_out.clips(pair)))
        for pair, clips in pairs
    }


def open_pairs(membership: Membership) -> int:
    """Return how many pairs are open for the person, without skipped ones."""
    skipped = Assignment.objects.filter(item=OuterRef("pk"), state=Assignment.State.SKIPPED)
    # If the project asks no gold anymore, opened gold is not handed out.
    items = WorkItem.with_known_answers if has_gold(membership) else WorkItem.objects
    return (
        items.filter(
            project=membership.project_id,
            kind="compare",
            reserved_for=membership.user_id,
            state=WorkItem.State.OPEN,
        )
        .exclude(Exists(skipped))
        .count()
    )


def take_back_idle(round: Round) -> None:
    """Release pairs that nobody has started for a day."""
    give_back(
        WorkItem.with_known_answers.filter(
            project=round.project_id,
            kind="compare",
            reserved_for__isnull=False,
            created_at__lt=timezone.now() - PATIENCE,
        )
    )


def give_back(items: QuerySet[WorkItem]) -> None:
    """Cancel pairs that nobody holds, so that others can get them. Call it inside a transaction."""
    waiting = items.filter(state=WorkItem.State.OPEN, open_slots__gt=0)
    if connection.features.has_select_for_update_skip_locked:
        waiting = waiting.select_for_update(skip_locked=True)
    subjects = dict(waiting.order_by("pk").values_list("pk", "subject"))
    if not subjects:
        return
    WorkItem.with_known_answers.filter(pk__in=subjects).update(
        state=WorkItem.State.CANCELLED, open_slots=0
    )
    back = that_count(  # a program's pairs were never counted as given
        CaptionPair.objects.filter(pk__in=subjects.values(), repeat_of=None, votes=None),
        Project.objects.get(work_items=next(iter(subjects))),
        "reviewer",
    )
    for caption_pair in back.select_related("left", "pair"):
        was_left = caption_pair.left.system_id == caption_pair.pair.first_id
        SystemPair.objects.filter(pk=caption_pair.pair_id, given__gt=0).update(
            given=F("given") - 1, first_left=F("first_left") - int(was_left)
        )


def open_gold(membership: Membership) -> QuerySet[WorkItem]:
    """Return the gold that was opened for the person and not taken yet."""
    return _open_items(membership).filter(purpose=WorkItem.Purpose.GOLD)


def gold_that_is_next(membership: Membership) -> WorkItem | None:
    """Return the gold item if the first of the person's open pairs is gold."""
    first = _open_items(membership).select_related("clip").order_by("-priority", "pk").first()
    return first if first and first.purpose == WorkItem.Purpose.GOLD else None


def _open_items(membership: Membership) -> QuerySet[WorkItem]:
    own = Assignment.objects.filter(item=OuterRef("pk"), annotator=membership.user_id)
    return WorkItem.with_known_answers.filter(
        ~Exists(own.exclude(state=Assignment.State.EXPIRED)),
        project=membership.project_id,
        kind="compare",
        reserved_for=membership.user_id,
        state=WorkItem.State.OPEN,
        open_slots__gt=0,
    )
