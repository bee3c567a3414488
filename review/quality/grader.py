"""How each kind of work with known answers grades its answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from annotate.models import Assignment, WorkItem
from annotate.queue.content import Content
from annotate.queue.services import Submission
from annotate.queue.work_kinds import result_parts
from review.quality.facts import Fact


@dataclass(frozen=True)
class Grade:
    """Whether an answer is right, and the share of its parts that are, 0 to 1."""

    is_right: bool
    share: float


class Grader(ABC):
    """How to compare answers of one kind of work with known ones.

    `is_graded`: answers are right or wrong; for other kinds, only by words that an admin requires.
    `has_gold`: gold takes about as long as any other item, and the page doesn't reveal it.
    `takes_facts`: an admin can list words that the text must have; `fields` are its named parts.
    `chooses_outcome`: an admin can set the right vote, whatever the source's vote is.
    """

    is_graded = True
    has_gold = True
    takes_facts = False
    chooses_outcome = False
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

    def known_answer_to(self, item: WorkItem) -> Q:
        """Return the condition on the known answer that the item asks about."""
        return Q(item=item.pk)

    def is_repeat(self, item: WorkItem) -> bool:
        """Return whether gold repeats a question that the person has answered, which proves
        nothing.
        """
        return False

    def complete(self, submission: Submission) -> None:
        """Submit an answer, and store everything that the person can look up about real work."""
        submission.complete()
        submission.record()

    def content_of(self, source: Assignment, outcome: str) -> Content:
        """Return the right answer: that of the source, or the `outcome` that an admin chose."""
        return dict(source.draft)

    def context_texts(self, item: WorkItem) -> list[tuple[str, str]]:
        """Return texts, with their headings, that the work is about and no answer contains."""
        return []

    def parts(self, answer: Assignment) -> list[tuple[str, str]]:
        """Return an answer, which is the draft, as texts with their headings."""
        return result_parts(answer)

    def shown_with(self, source: Assignment) -> dict[str, str]:
        """Return, for the item's context, what the page of the source showed and no longer
        would.
        """
        return {}
