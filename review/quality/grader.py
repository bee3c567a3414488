"""What each kind of work with known answers says of its answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.models import Assignment, WorkItem
from annotate.queue.content import Content
from review.quality.facts import Fact


@dataclass(frozen=True)
class Grade:
    """Whether an answer is right, and the share of its parts that are, 0 to 1."""

    is_right: bool
    share: float


class Grader(ABC):
    """How answers of one kind of work are held against known ones.

    `is_graded`: answers are right or wrong; others only with the words that an admin asks for.
    `has_gold`: an answer takes about as long as any other, and the page gives nothing away.
    `takes_facts`: an admin can say which words the text must have; `fields` are its named parts.
    """

    is_graded = True
    has_gold = True
    takes_facts = False
    fields: tuple[str, ...] = ()
    rule: str

    @abstractmethod
    def check(self, item: WorkItem, content: Content) -> None:
        """Raise WorkInvalid as submitting real work of the kind does."""

    @abstractmethod
    def grade(
        self, item: WorkItem, expected: Content, answer: Content, facts: Sequence[Fact]
    ) -> Grade:
        """Compare a checked answer with the known one."""

    def texts(self, item: WorkItem, content: Content) -> dict[str, str]:
        """Return the text by field, in which facts are looked for."""
        return {}

    def shown_with(self, source: Assignment) -> dict[str, str]:
        """Return what the page of the source showed and no longer would, for the item's context."""
        return {}
