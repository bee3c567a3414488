"""Compare an answer with the known one. A kind of work with a `Grader` can have training; if its
answers can be right or wrong at a glance, it can have gold, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotate.dynamics.services import checked_verdict
from annotate.models import WorkItem
from annotate.queue.content import Content, dynamics_verdict
from annotate.queue.queries import caption_asked_about
from annotate.signoff.services import checked_sign_off
from metrics.ratings import rating_of
from review.pairs.services import checked_kind
from review.quality.facts import Fact, read_facts
from review.quality.grader import Grade, Grader
from review.quality.texts import Elements, HandWriting, Merges, Modifications, Splits, WriteUps
from review.quality.votes import Comparisons
from review.ratings.scale import typed_rating
from review.ratings.services import checked_rating
from review.triplets.content import TripletJudgment, read_judgment
from review.triplets.verdicts import checked_judgment, queried
from review.verification import content as verification
from review.verification.judgment import Judgment
from review.verification.recording import sentences_of
from review.verification.services import checked_verification

FAR_OFF = 2  # points between two ratings


class Ratings(Grader):
    rule = "A rating is right if it is at most one point from the known one."

    def check(self, item: WorkItem, content: Content) -> None:
        checked_rating(_value(content), content.get("remark", ""))

    def grade(
        self, item: WorkItem, expected: Content, answer: Content, facts: Sequence[Fact]
    ) -> Grade:
        difference = abs(rating_of(_value(expected)) - rating_of(_value(answer)))
        return Grade(difference < FAR_OFF, 1 - difference / 5)


class DynamicsChecks(Grader):
    rule = "An answer is right if its verdict is the same."

    def check(self, item: WorkItem, content: Content) -> None:
        checked_verdict(content)

    def grade(
        self, item: WorkItem, expected: Content, answer: Content, facts: Sequence[Fact]
    ) -> Grade:
        return _all_or_nothing(dynamics_verdict(expected) == dynamics_verdict(answer))


class LabelPairs(Grader):
    rule = "An answer is right if its decision is the same."

    def check(self, item: WorkItem, content: Content) -> None:
        checked_kind(content)

    def grade(
        self, item: WorkItem, expected: Content, answer: Content, facts: Sequence[Fact]
    ) -> Grade:
        return _all_or_nothing(expected.get("kind") == answer.get("kind"))


class Verifications(Grader):
    rule = (
        "A verification is right if each right sentence is left as it is, each wrong one has at "
        "least one of its types of error, and something missing is reported where something is."
    )

    def check(self, item: WorkItem, content: Content) -> None:
        checked_verification(item, content)

    def grade(
        self, item: WorkItem, expected: Content, answer: Content, facts: Sequence[Fact]
    ) -> Grade:
        sentences = len(sentences_of(caption_asked_about(item).text))
        right, _ = verification.read_judgment(expected, sentences)
        judged, _ = verification.read_judgment(answer, sentences)
        return grade_verification(right, judged)


class Triplets(Grader):
    rule = (
        "A verification is right if each target has the same verdict, and the text is judged right "
        "in both or in neither."
    )

    def check(self, item: WorkItem, content: Content) -> None:
        checked_judgment(queried(item), content)

    def grade(
        self, item: WorkItem, expected: Content, answer: Content, facts: Sequence[Fact]
    ) -> Grade:
        targets = list(queried(item).targets.values_list("target", flat=True))
        return grade_triplet(read_judgment(expected, targets), read_judgment(answer, targets))


class SignOffs(Grader):
    rule = "An answer is right if its verdict is the same."

    def check(self, item: WorkItem, content: Content) -> None:
        checked_sign_off(content)

    def grade(
        self, item: WorkItem, expected: Content, answer: Content, facts: Sequence[Fact]
    ) -> Grade:
        return _all_or_nothing(expected.get("verdict") == answer.get("verdict"))


GRADERS: Mapping[str, Grader] = {
    "write": WriteUps(),
    "merge": Merges(),
    "split": Splits(),
    "signoff": SignOffs(),
    "dynamics": DynamicsChecks(),
    "hand": HandWriting(),
    "verify": Verifications(),
    "rate": Ratings(),
    "pair": LabelPairs(),
    "modify": Modifications(),
    "triplet": Triplets(),
    "compare": Comparisons(),
    "elements": Elements(),
}


def grade_verification(expected: Judgment, answer: Judgment) -> Grade:
    """Compare two complete judgments of the same caption; the parts are its sentences and whether
    something is missing."""
    same = [bool(expected.missing) == bool(answer.missing)]
    fits = list(same)
    for right, judged in zip(expected.verdicts, answer.verdicts, strict=True):
        types, answered = right.types or frozenset(), judged.types or frozenset()
        same.append(types == answered)
        fits.append(bool(types & answered) if types else not answered)
    return Grade(all(fits), sum(same) / len(same))


def grade_triplet(expected: TripletJudgment, answer: TripletJudgment) -> Grade:
    """Compare two complete judgments of the same query; the parts are its text and its targets."""
    same = [expected.needs_correction == answer.needs_correction]
    same += [answer.targets[clip] == is_valid for clip, is_valid in expected.targets.items()]
    return Grade(all(same), sum(same) / len(same))


def facts_of(kind: str, lines: Sequence[str]) -> list[Fact]:
    """Return the facts of a stored known answer."""
    return read_facts(lines, GRADERS[kind].fields)


def _all_or_nothing(is_right: bool) -> Grade:
    return Grade(is_right, float(is_right))


def _value(content: Content) -> object:
    try:
        return typed_rating(content.get("value", ""))
    except ValueError:
        return content.get("value", "")
