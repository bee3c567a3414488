"""A test query of a set of triplets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Query:
    """A test query: its clip, its modification's text, and its targets, the primary one first.

    `right_too`: keys of clips of the test split that are right but not targets: they have the
    target label, but the set's limit or its choice of source videos left them out. Nobody judged
    them wrong for this query.
    """

    key: int
    clip: int
    text: str
    targets: tuple[int, ...]
    is_verified: bool = False
    right_too: tuple[int, ...] = ()
