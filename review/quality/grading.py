"""Compare an answer with the known one. A kind of work with a `Grader` can have training; if its
answers can be right or wrong, it can have gold, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from annotate.dynamics.services import checked_verdict
from annotate.errors import WorkInvalid
from annotate.models import WorkItem
from annotate.queue.content import Content, dynamics_verdict, write_up_parts
from annotate.text.parts import Problem, check_parts
from annotate.text.words import count_words
from metrics.ratings import rating_of
from review.pairs.services import checked_kind
from review.ratings.scale import typed_rating
from review.ratings.services import checked_rating
from review.triplets.content import TripletJudgement, read_judgement
from review.triplets.verdicts import checked_judgement, queried
from review.verification import content as verification
from review.verification.judgement import Judgement
from review.verification.services import checked_verification, sentences_of, verified_caption

Kind = WorkItem.Kind
FAR_OFF = 2  # points between two ratings


@dataclass(frozen=True)
class Grade:
    """Whether an answer is right, and the share of its parts that are, 0 to 1."""

    is_right: bool
    share: float


class Grader(Protocol):
    """`is_graded`: answers are right or wrong; others are only compared by the person."""

    is_graded: bool
    rule: str

    def check(self, item: WorkItem, content: Content) -> None:
        """Raise WorkInvalid as submitting real work of the kind does."""

    def grade(self, item: WorkItem, expected: Content, answer: Content) -> Grade:
        """Compare a checked answer with the known one."""


class Ratings:
    is_graded = True
    rule = "A rating is right if it is at most one point from the known one."

    def check(self, item: WorkItem, content: Content) -> None:
        checked_rating(_value(content), content.get("remark", ""))

    def grade(self, item: WorkItem, expected: Content, answer: Content) -> Grade:
        difference = abs(rating_of(_value(expected)) - rating_of(_value(answer)))
        return Grade(difference < FAR_OFF, 1 - difference / 5)


class DynamicsChecks:
    is_graded = True
    rule = "An answer is right if its verdict is the same."

    def check(self, item: WorkItem, content: Content) -> None:
        checked_verdict(content)

    def grade(self, item: WorkItem, expected: Content, answer: Content) -> Grade:
        return _all_or_nothing(dynamics_verdict(expected) == dynamics_verdict(answer))


class LabelPairs:
    is_graded = True
    rule = "An answer is right if its decision is the same."

    def check(self, item: WorkItem, content: Content) -> None:
        checked_kind(content)

    def grade(self, item: WorkItem, expected: Content, answer: Content) -> Grade:
        return _all_or_nothing(expected.get("kind") == answer.get("kind"))


class Verifications:
    is_graded = True
    rule = (
        "A verification is right if each right sentence is left as it is, each wrong one has at "
        "least one of its types of error, and something missing is reported where something is."
    )

    def check(self, item: WorkItem, content: Content) -> None:
        checked_verification(item, content)

    def grade(self, item: WorkItem, expected: Content, answer: Content) -> Grade:
        sentences = len(sentences_of(verified_caption(item).text))
        right, _ = verification.read_judgement(expected, sentences)
        judged, _ = verification.read_judgement(answer, sentences)
        return grade_verification(right, judged)


class Triplets:
    is_graded = True
    rule = (
        "A verification is right if each target has the same verdict, and the text is judged right "
        "in both or in neither."
    )

    def check(self, item: WorkItem, content: Content) -> None:
        checked_judgement(queried(item), content)

    def grade(self, item: WorkItem, expected: Content, answer: Content) -> Grade:
        targets = list(queried(item).targets.values_list("target", flat=True))
        return grade_triplet(read_judgement(expected, targets), read_judgement(answer, targets))


class WriteUps:
    is_graded = False
    rule = "A text has no single right answer: people compare theirs with the known one."

    def check(self, item: WorkItem, content: Content) -> None:
        limits = {"min_words": item.project.min_words, "max_words": item.project.max_words}
        if problems := check_parts(write_up_parts(content), **limits):
            raise WorkInvalid(problems)

    def grade(self, item: WorkItem, expected: Content, answer: Content) -> Grade:
        return Grade(True, 1)


class HandWriting:
    is_graded = False
    rule = WriteUps.rule

    def check(self, item: WorkItem, content: Content) -> None:
        if not count_words(content.get("text", "")):
            raise WorkInvalid([Problem("text", "Write what the clip shows.")])

    def grade(self, item: WorkItem, expected: Content, answer: Content) -> Grade:
        return Grade(True, 1)


GRADERS: Mapping[str, Grader] = {
    Kind.WRITE: WriteUps(),
    Kind.DYNAMICS: DynamicsChecks(),
    Kind.HAND: HandWriting(),
    Kind.VERIFY: Verifications(),
    Kind.RATE: Ratings(),
    Kind.PAIR: LabelPairs(),
    Kind.TRIPLET: Triplets(),
}


def grade_verification(expected: Judgement, answer: Judgement) -> Grade:
    """Compare two complete judgments of the same caption; the parts are its sentences and whether
    something is missing."""
    same = [bool(expected.missing) == bool(answer.missing)]
    fits = list(same)
    for right, judged in zip(expected.verdicts, answer.verdicts, strict=True):
        types, answered = right.types or frozenset(), judged.types or frozenset()
        same.append(types == answered)
        fits.append(bool(types & answered) if types else not answered)
    return Grade(all(fits), sum(same) / len(same))


def grade_triplet(expected: TripletJudgement, answer: TripletJudgement) -> Grade:
    """Compare two complete judgments of the same query; the parts are its text and its targets."""
    same = [expected.needs_correction == answer.needs_correction]
    same += [answer.targets[clip] == is_valid for clip, is_valid in expected.targets.items()]
    return Grade(all(same), sum(same) / len(same))


def _all_or_nothing(is_right: bool) -> Grade:
    return Grade(is_right, float(is_right))


def _value(content: Content) -> object:
    try:
        return typed_rating(content.get("value", ""))
    except ValueError:
        return content.get("value", "")
