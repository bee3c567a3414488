"""Compare texts with known ones.

A text has no single right answer, so an admin lists words that it must or must not have
(`facts.py`); a split is also compared by where it puts the sentences. Texts have no gold: writing
one takes minutes, too long for a hidden check.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotate.errors import WorkInvalid
from annotate.merge.services import checked_merge
from annotate.models import Assignment, WorkItem
from annotate.queue.content import (
    Content,
    merge_rows,
    split_targets,
    split_texts,
    write_up_parts,
)
from annotate.queue.queries import caption_asked_about
from annotate.split.services import checked_split
from annotate.text.merging import merged_parts
from annotate.text.parts import PARTS, Problem, check_parts
from annotate.text.words import count_words
from annotate.write.queries import write_ups
from review.elements.lines import KINDS, list_field
from review.elements.models import Extraction
from review.elements.services import checked_lists
from review.modifications.queries import word_limits
from review.modifications.services import (
    checked_modification,
    decided_text,
    direction_of,
    shown_proposal,
)
from review.quality.facts import Fact
from review.quality.grader import Grade, Grader

PLACED_ALIKE = 0.8  # share of the sentences of a split


class Splits(Grader):
    fields = ("spatial", "temporal")
    has_gold = False
    takes_facts = True
    rule = (
        "A split is right if it places at least 80 % of the sentences as the known one does, and "
        "if its texts have the words that they must have and none that they must not."
    )

    def check(self, item: WorkItem, content: Content) -> None:
        checked_split(item.clip, content)

    def texts(self, item: WorkItem, content: Content) -> dict[str, str]:
        return split_texts(content)

    def grade(
        self, item: WorkItem, expected: Content, answer: Content, facts: Sequence[Fact]
    ) -> Grade:
        return grade_split(expected, answer, facts)


class _Texts(Grader):
    """Texts that people write: right or wrong only by the words that an admin asks for."""

    is_graded = False
    has_gold = False
    takes_facts = True
    rule = (
        "A text has no single right answer. It is right if it has the words that it must have and "
        "none that it must not; without such words, people only compare theirs with the known one."
    )

    def texts(self, item: WorkItem, content: Content) -> dict[str, str]:
        return {"text": content.get("text", "")}

    def grade(
        self, item: WorkItem, expected: Content, answer: Content, facts: Sequence[Fact]
    ) -> Grade:
        return grade_facts(facts, self.texts(item, answer))


class WriteUps(_Texts):
    fields = PARTS

    def check(self, item: WorkItem, content: Content) -> None:
        limits = {"min_words": item.project.min_words, "max_words": item.project.max_words}
        if problems := check_parts(write_up_parts(content), **limits):
            raise WorkInvalid(problems)

    def texts(self, item: WorkItem, content: Content) -> dict[str, str]:
        return write_up_parts(content)


class Merges(_Texts):
    fields = PARTS

    def check(self, item: WorkItem, content: Content) -> None:
        checked_merge(item, write_ups(item.clip), content)

    def texts(self, item: WorkItem, content: Content) -> dict[str, str]:
        return merged_parts(merge_rows(content))


class HandWriting(_Texts):
    def check(self, item: WorkItem, content: Content) -> None:
        if not count_words(content.get("text", "")):
            raise WorkInvalid([Problem("text", "Write what the clip shows.")])


class Elements(_Texts):
    fields = ("objects", "events")

    def check(self, item: WorkItem, content: Content) -> None:
        checked_lists(item, content)

    def texts(self, item: WorkItem, content: Content) -> dict[str, str]:
        return {name: content.get(name, "") for name in self.fields}

    def context_texts(self, item: WorkItem) -> list[tuple[str, str]]:
        return [("Caption", caption_asked_about(item).text)]

    def parts(self, answer: Assignment) -> list[tuple[str, str]]:
        return [(kind.capitalize(), text) for kind in KINDS if (text := answer.draft.get(kind))]

    def shown_with(self, source: Assignment) -> dict[str, str]:
        corrected = Extraction.objects.filter(assignment=source).values_list("kind", "parent")
        parents = dict(corrected)
        return {list_field(kind): str(parents[kind]) for kind in KINDS if kind in parents}


class Modifications(_Texts):
    rule = (
        "An answer is right if it gives a text where the known one does and rejects where that one "
        "does, and if its text has the words that it must have and none that it must not."
    )

    def check(self, item: WorkItem, content: Content) -> None:
        direction = direction_of(item)
        proposal = shown_proposal(item, direction)
        checked_modification(content, proposal, word_limits(item.project))

    def texts(self, item: WorkItem, content: Content) -> dict[str, str]:
        return {"text": decided_text(item, content)}

    def grade(
        self, item: WorkItem, expected: Content, answer: Content, facts: Sequence[Fact]
    ) -> Grade:
        is_rejected = answer.get("decision") == "reject"
        if is_rejected != (expected.get("decision") == "reject"):
            return Grade(False, 0)
        return Grade(True, 1) if is_rejected else super().grade(item, expected, answer, facts)

    def shown_with(self, source: Assignment) -> dict[str, str]:
        return {"proposal": source.draft.get("proposal", "")}


def grade_split(expected: Content, answer: Content, facts: Sequence[Fact]) -> Grade:
    """Compare where two splits of the same text place its sentences, and look for the facts; the
    parts are the sentences and the facts."""
    pairs = zip(split_targets(expected), split_targets(answer), strict=False)
    same = [right == placed for right, placed in pairs]
    met = [fact.is_met(split_texts(answer)) for fact in facts]
    is_placed = not same or sum(same) >= PLACED_ALIKE * len(same)
    parts = same + met
    return Grade(is_placed and all(met), sum(parts) / len(parts) if parts else 1)


def grade_facts(facts: Sequence[Fact], texts: Mapping[str, str]) -> Grade:
    """Check a text against the facts; without facts, every text is right."""
    met = [fact.is_met(texts) for fact in facts]
    return Grade(all(met), sum(met) / len(met) if met else 1)
