"""What happened to finished work, from the features that use its texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from annotate.models import Membership

# assignment -> words for what happened to its result, in the order of the process. They name no
# person and nothing that the member must not know.
Outcomes = Mapping[int, list[str]]
_READERS: list[Callable[[Membership, Collection[int]], Outcomes]] = []


def register_outcomes(read: Callable[[Membership, Collection[int]], Outcomes]) -> None:
    """Have My work show what `read` returns for assignments. Call it in `AppConfig.ready`."""
    _READERS.append(read)


def outcomes_of(membership: Membership, assignments: Collection[int]) -> dict[int, list[str]]:
    outcomes: dict[int, list[str]] = {}
    for read in _READERS:
        for assignment, words in read(membership, assignments).items():
            outcomes.setdefault(assignment, []).extend(words)
    return outcomes
