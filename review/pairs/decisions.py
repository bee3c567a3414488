"""What follows from a decision about a label pair: the features that come after register for it."""

from __future__ import annotations

from collections.abc import Callable

from review.pairs.models import LabelPair

Follow = Callable[[LabelPair, str], None]
_FOLLOWERS: list[Follow] = []


def follow_decisions(follow: Follow) -> None:
    """Have `follow(pair, before)` called, in the same transaction, whenever people have voted on a
    pair; `before` is the kind that it had until then, empty where it was undecided."""
    if follow not in _FOLLOWERS:
        _FOLLOWERS.append(follow)


def announce(pair: LabelPair, before: str) -> None:
    for follow in _FOLLOWERS:
        follow(pair, before)
