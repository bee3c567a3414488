"""What a reviewer was given in a round, and what it can't give them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from annotate.models import Membership, User, WorkItem
from review.comparisons.blindness import clips_named_before
from review.comparisons.known import known_clips
from review.comparisons.models import CaptionPair, Round, SystemPair


class Given(NamedTuple):
    """A pair that the reviewer was given in the round, real or gold."""

    key: int
    pair: int
    clip: int
    names_shown_at: datetime | None
    repeat_of: int | None
    gold_of: int | None


class LeftOut:
    """The clips for which a reviewer never compares a pair of the round, by pair: `named`, of which
    another round has shown them who wrote one of the captions, and `known`, for which the right
    vote is known. `has_gold`: whether the project asks people gold."""

    def __init__(self, round: Round, membership: Membership) -> None:
        by_system = clips_named_before(membership.user, round)
        pairs = SystemPair.objects.filter(round=round).values_list("pk", "first", "second")
        self.named = {pair: by_system[first] | by_system[second] for pair, first, second in pairs}
        self.known = known_clips(round)
        self.has_gold = has_gold(membership)

    def clips(self, pair: int) -> set[int]:
        return self.named[pair] | self.known.get(pair, set())


def has_gold(membership: Membership) -> bool:
    """Return whether there is gold among the comparisons of the project."""
    return WorkItem.Kind.COMPARE in membership.project.gold_kinds


def given_before(round: Round, reviewer: User) -> list[Given]:
    """Return the reviewer's pairs, oldest first. Filtered in Python, because with a filter by
    round or repeats SQLite reads the pairs of all reviewers.
    """
    own = CaptionPair.of_any_purpose.filter(reviewer=reviewer).order_by()
    columns = "round", "pk", "pair", "clip", "names_shown_at", "repeat_of", "gold_of"
    return sorted(Given(*row) for of, *row in own.values_list(*columns) if of == round.pk)


def clips_with_names(before: Sequence[Given]) -> set[int]:
    return {caption_pair.clip for caption_pair in before if caption_pair.names_shown_at}


def clips_left(round: Round, before: Sequence[Given], left_out: LeftOut) -> dict[int, int]:
    """Return for how many clips the reviewer may still compare each pair. It may be one too high
    for each clip whose names they have seen, if the pair has no captions of it.
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
