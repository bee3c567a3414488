"""Compare votes on two captions with known ones. Gold is also stored as a vote, but never counted:
the person finds it among their votes, and can change it like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q

from annotate.models import Assignment, WorkItem
from annotate.queue.content import Content
from annotate.queue.services import Submission
from review.comparisons.content import read_choice
from review.comparisons.models import CaptionPair, Vote
from review.comparisons.services import caption_pair_of, refuse_other_sides, store_vote
from review.quality.facts import Fact
from review.quality.grader import Grade, Grader

Outcome = Vote.Outcome
SWAPPED = {Outcome.LEFT.value: Outcome.RIGHT.value, Outcome.RIGHT.value: Outcome.LEFT.value}


class Comparisons(Grader):
    chooses_outcome = True
    rule = (
        "A vote is right if it prefers the same caption, whichever side it is on, or if it is the "
        "same where neither is preferred: both are good, or both are bad."
    )

    def check(self, item: WorkItem, content: Content) -> None:
        refuse_other_sides(_asked(item), content)
        read_choice(content)

    def grade(
        self, item: WorkItem, expected: Content, answer: Content, facts: Sequence[Fact]
    ) -> Grade:
        is_right = answer["outcome"] == seen_from(_asked(item), expected["outcome"])
        return Grade(is_right, float(is_right))

    def known_answer_to(self, item: WorkItem) -> Q:
        if item.purpose != WorkItem.Purpose.GOLD:
            return super().known_answer_to(item)
        # Each person gets their own item of gold.
        source = _asked(item).gold_of_id
        return Q(item__kind=item.kind, item__purpose=item.purpose, item__subject=source)

    def is_repeat(self, item: WorkItem) -> bool:
        return _asked(item).repeat_of_id is not None

    def complete(self, submission: Submission) -> None:
        if submission.item.purpose == WorkItem.Purpose.GOLD:
            store_vote(submission, _asked(submission.item))
        else:
            super().complete(submission)

    def content_of(self, source: Assignment, outcome: str) -> Content:
        return {"outcome": outcome or source.draft["outcome"]}

    def context_texts(self, item: WorkItem) -> list[tuple[str, str]]:
        caption_pair = caption_pair_of(item)
        sides = (("Left caption", caption_pair.left), ("Right caption", caption_pair.right))
        return [(heading, side.caption.text) for heading, side in sides]

    def parts(self, answer: Assignment) -> list[tuple[str, str]]:
        return [("Vote", outcome_label(answer.draft))]


def _asked(item: WorkItem) -> CaptionPair:
    """Return the pair of the work, which is read once for all that is asked about an answer."""
    caption_pair: CaptionPair | None = vars(item).get("caption_pair")
    if caption_pair is None:
        caption_pair = vars(item)["caption_pair"] = caption_pair_of(item)
    return caption_pair


class Pair(NamedTuple):
    """The captions that a vote is about, and the vote in words."""

    left: str
    right: str
    vote: str


def pairs_of(votes: Mapping[int, tuple[int, Content]]) -> dict[int, Pair]:
    """Return the pair of each vote by its key, from its pair and its content. One query."""
    caption_pairs = CaptionPair.objects.select_related("left__caption", "right__caption").in_bulk(
        [caption_pair for caption_pair, _ in votes.values()]
    )
    pairs = {}
    for key, (caption_pair, content) in votes.items():
        sides = caption_pairs[caption_pair].left, caption_pairs[caption_pair].right
        left, right = (side.caption.text for side in sides)
        pairs[key] = Pair(left, right, outcome_label(content))
    return pairs


def outcome_label(content: Content) -> str:
    return str(Outcome(content["outcome"]).label)


def seen_from(caption_pair: CaptionPair, outcome: str) -> str:
    """Return the known outcome on the sides of this pair, which may be gold of its source."""
    if not caption_pair.gold_of_id:
        return outcome
    left = CaptionPair.objects.values_list("left__caption", flat=True).get(
        pk=caption_pair.gold_of_id
    )
    return outcome if caption_pair.left.caption_id == left else SWAPPED.get(outcome, outcome)
