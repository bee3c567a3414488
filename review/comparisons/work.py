"""The page of a blind vote: two captions without their origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotate.errors import AnnotateError
from annotate.keys.lists import AT_ONCE, Key
from annotate.models import Assignment, Caption, Membership, Role, WorkItem
from annotate.queue.content import Content
from annotate.queue.work_kinds import Context, WorkKind
from review.comparisons.blindness import knows_captions
from review.comparisons.content import FIELDS, MAX_REMARK_LENGTH, shown_on, written_vote
from review.comparisons.models import CaptionPair, Vote
from review.comparisons.pairing import prepare_caption_pairs, votes_ahead
from review.comparisons.queries import votes_of
from review.comparisons.services import NAMES_SEEN, ROUND_ENDED, caption_pair_of, submit_vote

KEYS = {"left": "1", "right": "2", "tie": "3", "both_bad": "4"}


@dataclass(frozen=True)
class Side:
    """A caption for display. `name` is empty until the reviewer has asked for it."""

    value: str
    title: str
    paragraphs: list[str]
    name: str = ""


def compare_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    """Return the page's context. It has no name, key, time or position of the captions' models,
    because the reader could find anything in the page.
    """
    try:
        caption_pair = caption_pair_of(assignment.item)
    except AnnotateError as error:
        return {"no_captions": str(error)}
    if assignment.item.purpose == WorkItem.Purpose.TRAINING:
        return {
            "sides": sides_of(caption_pair),
            "shown": shown_on(caption_pair),
            **choice_context(content),
        }
    own = votes_of(assignment.annotator, caption_pair.round)
    has_ended = caption_pair.round.ended_at is not None
    return {
        "sides": sides_of(caption_pair),
        "shown": shown_on(caption_pair),
        **choice_context(content),
        "round_ended": ROUND_ENDED if has_ended else "",
        "taken_back_text": ROUND_ENDED if has_ended else "",
        "names_seen": NAMES_SEEN if not has_ended and knows_captions(caption_pair) else "",
        "vote": own.filter(caption_pair=caption_pair).first(),
        "votes_in_round": own.count(),
        "last": own.exclude(caption_pair=caption_pair).first(),
    }


def sides_of(caption_pair: CaptionPair, names: Mapping[str, str] | None = None) -> list[Side]:
    """Return the left and right caption; `names` by side, if they can be shown."""
    names = names or {}
    return [
        Side("left", "Left", _paragraphs(caption_pair.left.caption), names.get("left", "")),
        Side("right", "Right", _paragraphs(caption_pair.right.caption), names.get("right", "")),
    ]


def choice_context(content: Content) -> dict[str, Any]:
    """Return the four outcomes, the reasons and the remark, with the current values."""
    return {
        "outcome": content.get("outcome", ""),
        "outcomes": [(value, label, KEYS[value]) for value, label in Vote.Outcome.choices],
        "reasons": [
            (f"reason-{value}", label, bool(content.get(f"reason-{value}")))
            for value, label in Vote.Reason.choices
        ],
        "remark": content.get("remark", ""),
        "longest_remark": MAX_REMARK_LENGTH,
    }


def stored_choice(vote: Vote) -> dict[str, Any]:
    """Return the stored vote as the fields of the form."""
    return choice_context(written_vote(vote))


def _paragraphs(caption: Caption) -> list[str]:
    return [line for line in caption.text.splitlines() if line.strip()]


class Compare(WorkKind):
    kind = "compare"
    label = "Comparisons"
    roles = (Role.EXPERT, Role.REVIEWER)
    submitted = "Vote saved"
    is_made_for_one = True
    title = "Vote on two captions of {}"
    reserves_itself = True
    keeps_examples = True
    template = "review/comparisons/work_compare.html"
    next_label = "Compare next"
    keys_heading = "The vote"
    keys = (
        Key(
            "choose",
            "Left, right, both good, both bad",
            ("Digit1", "Digit2", "Digit3", "Digit4"),
            ("Alt+Digit1", "Alt+Digit2", "Alt+Digit3", "Alt+Digit4"),
            numbered=True,
        ),
        AT_ONCE,
        Key("scroll-up", "Scroll both captions up", ("ArrowUp",)),
        Key("scroll-down", "Scroll both captions down", ("ArrowDown",)),
    )
    submit = staticmethod(submit_vote)
    fields = FIELDS
    noun = "comparison"
    skip_reasons = ("The video does not play", "Too dark to see", "A caption names its model")
    text_fields = ("remark",)
    example_headings = ("Left caption", "Right caption", "Vote", "Remark")
    none_yet = (
        "Pairs of captions appear here when an admin starts a comparison round. "
        "No round is running now."
    )
    none_free = "The round needs no more votes from you."
    none_for_you = "The round needs no more votes from you."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return compare_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        caption_pair = caption_pair_of(assignment.item)
        return {
            "left": caption_pair.left.caption.text,
            "right": caption_pair.right.caption.text,
            "shown": shown_on(caption_pair),
        }

    def example_parts(self, assignment: Assignment) -> list[str]:
        caption_pair, draft = caption_pair_of(assignment.item), assignment.draft
        if caption_pair.round.ended_at is None:
            raise AnnotateError("This round is still running. Take an example from an ended one.")
        outcomes = dict(Vote.Outcome.choices)
        outcome = str(outcomes.get(draft.get("outcome", ""), ""))
        captions = [caption_pair.left.caption.text, caption_pair.right.caption.text]
        return [*captions, outcome, draft.get("remark", "")]

    def ahead(self, membership: Membership) -> int:
        return votes_ahead(membership)

    def prepare(self, membership: Membership) -> None:
        prepare_caption_pairs(membership)
