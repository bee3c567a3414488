"""Signs of missing attention in what people did, from rows of plain numbers.

Each sign is a function from what all people did to one result per person and kind of work, in the
order of `signs_of`. A sign that needs other facts of an item takes them from a field of `Item` and
is added there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotate.queue.services.drafts import FASTEST_PLAYBACK, UNCOUNTED
from metrics.attention import (
    Count,
    Outlier,
    Outliers,
    Pace,
    changed_votes,
    compare_pace,
    position_bias,
    too_many,
)
from review.people.queries import Item, Vote

# the last items, which are compared with the person's earlier ones
LAST = 20
# Share of the clip below which an item counts as finished without watching.
ENOUGH = 0.5
# Kinds in which people watch the item's clip from beginning to end.
WATCHED = (
    "write",
    "hand",
    "verify",
    "rate",
    "compare",
    "elements",
    "signoff",
)


class Sign(StrEnum):
    SIDE = "side"
    CHANGED = "changed"
    QUICK = "quick"
    UNWATCHED = "unwatched"
    PACE = "pace"
    OWN_PACE = "own_pace"


@dataclass(frozen=True)
class SignOf:
    """One sign about a person in a kind of work. `tested`: the number of people for Holm's
    correction; 0 without a correction."""

    sign: Sign
    person: int
    kind: str
    result: Outlier | Pace
    tested: int = 0

    @property
    def is_marked(self) -> bool:
        return self.result.is_marked


def signs_of(items: Sequence[Item], votes: Sequence[Vote]) -> list[SignOf]:
    """Return every sign of every person and kind in which they did anything."""
    by_kind: dict[str, dict[int, list[Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        by_kind[item.kind][item.person].append(item)
    signs = [*_sides(votes), *_changed(votes)]
    for kind in sorted(by_kind):
        signs += _each(Sign.QUICK, kind, _too_many(kind, by_kind[kind], is_quick))
        signs += _each(Sign.UNWATCHED, kind, _too_many(kind, by_kind[kind], is_unwatched))
        signs += _paces(kind, by_kind[kind])
    return signs


def _sides(votes: Iterable[Vote]) -> Iterator[SignOf]:
    left, both = Counter[int](), Counter[int]()
    for vote in votes:
        # A repeat has the sides swapped, so an attentive person chooses the other one.
        both[vote.person] += vote.left is not None and not vote.is_repeat
        left[vote.person] += vote.left is True and not vote.is_repeat
    outliers = position_bias([Count(person, left[person], both[person]) for person in sorted(both)])
    return _each(Sign.SIDE, "compare", outliers)


def _changed(votes: Iterable[Vote]) -> Iterator[SignOf]:
    changed, repeats = Counter[int](), Counter[int]()
    for vote in votes:
        repeats[vote.person] += vote.is_repeat
        changed[vote.person] += vote.has_changed
    counts = [Count(person, changed[person], repeats[person]) for person in sorted(repeats)]
    return _each(Sign.CHANGED, "compare", changed_votes(counts))


def _too_many(
    kind: str, people: dict[int, list[Item]], is_counted: Callable[[Item], bool]
) -> Outliers:
    counts = []
    for person, items in sorted(people.items() if kind in WATCHED else ()):
        # The list is newest first, so the first item of each clip remains; after it, people know
        # the clip.
        first_of_clips = {item.clip: item for item in items}.values()
        counts.append(Count(person, sum(map(is_counted, first_of_clips)), len(first_of_clips)))
    return too_many(counts)


def is_quick(item: Item) -> bool:
    """Return whether the player's highest speed couldn't show the whole clip in the item's time,
    which is counted to within UNCOUNTED."""
    return item.seconds + UNCOUNTED.total_seconds() < item.clip_seconds / FASTEST_PLAYBACK


def is_unwatched(item: Item) -> bool:
    return item.watched < ENOUGH


def _paces(kind: str, people: dict[int, list[Item]]) -> Iterator[SignOf]:
    for person, items in sorted(people.items()):
        own = [item.seconds for item in items]
        others = [
            item.seconds for other, theirs in people.items() if other != person for item in theirs
        ]
        yield SignOf(Sign.PACE, person, kind, compare_pace(own, others))
        yield SignOf(Sign.OWN_PACE, person, kind, compare_pace(own[:LAST], own[LAST:]))


def _each(sign: Sign, kind: str, outliers: Outliers) -> Iterator[SignOf]:
    for outlier in outliers.people:
        yield SignOf(sign, outlier.person, kind, outlier, outliers.n_people)
