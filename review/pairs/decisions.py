"""Lets later features register for decisions about label pairs."""

from __future__ import annotations

from collections.abc import Callable

from review.pairs.models import LabelPair

Follow = Callable[[LabelPair, str], None]
_FOLLOWERS: list[Follow] = []


def follow_decisions(follow: Follow) -> None:
    """Call `follow(pair, before)` after each vote on a pair, in the same transaction; `before` is
    the pair's previous kind, empty if undecided.
    """
    if follow not in _FOLLOWERS:
        _FOLLOWERS.append(follow)


def announce(pair: LabelPair, before: str) -> None:
    for follow in _FOLLOWERS:
        follow(pair, before)
