"""The page on which a person judges a label pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotate.errors import AnnotateError
from annotate.keys.lists import LOOPS, Key
from annotate.models import Assignment, Role, WorkItem
from annotate.queue.content import Content
from annotate.queue.fields import DraftField
from annotate.queue.work_kinds import Context, WorkKind
from review.pairs.events import contradiction_of
from review.pairs.models import LabelPair, PairVerdict
from review.pairs.names import pair_names
from review.pairs.services import submit_pair_verdict
from review.pairs.sides import sides_of

Kind = LabelPair.Kind
NO_PAIR = "These labels no longer exist. Skip this pair and tell an admin."
VERDICTS = {"temporal": "Temporal change.", "event": "Event change.", "reject": "Rejected."}


@dataclass(frozen=True)
class Choice:
    """`contradiction`: why the labels' events don't fit this verdict, if they don't."""

    kind: LabelPair.Kind
    key: str
    meaning: str
    contradiction: str = ""


CHOICES = (
    Choice(Kind.TEMPORAL, "T", "The same event, with another action."),
    Choice(Kind.EVENT, "E", "The same action in another event."),
    Choice(Kind.REJECT, "R", "Neither: too much differs, or nothing."),
)


def choices_for(pair: LabelPair) -> list[Choice]:
    """Return the verdicts, with a notice at one that contradicts the events of the labels."""
    events = (pair.first.event, pair.second.event)
    return [
        replace(choice, contradiction=contradiction_of(choice.kind, *events)) for choice in CHOICES
    ]


def pair_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    """Return the page's context, which shows nobody else's answers about the pair."""
    item = assignment.item
    pair = (
        LabelPair.objects.select_related("first", "second")
        .filter(pk=item.subject, project=item.project_id)
        .first()
    )
    if pair is None:
        return {"no_pair": NO_PAIR}
    last = last_verdict(assignment)
    return {
        "pair": pair,
        "sides": sides_of(pair),
        "is_same": pair.first.caption == pair.second.caption,
        "choices": choices_for(pair),
        "chosen": _chosen(assignment, content),
        "has_texts": pair.modifications.exists(),
        "last": last,
        "last_contradicts": last.contradiction if last else "",
    }


def last_verdict(assignment: Assignment) -> PairVerdict | None:
    """Return the person's previous verdict, to undo it."""
    before = PairVerdict.objects.filter(
        person=assignment.annotator,
        assignment__item__project=assignment.item.project_id,
    ).exclude(assignment=assignment)
    if assignment.submitted_at:
        before = before.filter(assignment__submitted_at__lt=assignment.submitted_at)
    return (
        before.select_related("pair__first", "pair__second")
        .order_by("-assignment__submitted_at", "-id")
        .first()
    )


def _chosen(assignment: Assignment, content: Content) -> str:
    newest = PairVerdict.objects.filter(assignment=assignment).last()
    return newest.kind if newest else content.get("kind", "")


class JudgePair(WorkKind):
    kind = "pair"
    label = "Label pairs"
    roles = (Role.EXPERT, Role.REVIEWER)
    submitted = "Verdict saved"
    has_loops = True
    title = "Label pair {}"
    counted_as = "Label pairs judged"
    template = "review/pairs/work_pair.html"
    next_label = "Judge next pair"
    keys_heading = "The verdict"
    keys = (
        Key("temporal", "Temporal change, and next", ("KeyT",)),
        Key("event", "Event change, and next", ("KeyE",)),
        Key("reject", "Reject, and next", ("KeyR",)),
    )
    media_keys = LOOPS
    submit = staticmethod(submit_pair_verdict)
    fields = (DraftField("kind", "The verdict.", LabelPair.Kind.values),)
    noun = "pair"
    skip_reasons = (
        "A label is unclear",
        "The clips don’t show their labels",
        "A video does not play",
    )
    example_headings = ("First label", "Second label", "Verdict")
    none_yet = (
        "Pairs of similar labels appear here when an admin hands them out. None are ready now."
    )
    none_free = "No label pair waits for another person to judge it now."
    none_for_you = "You have judged or skipped all open pairs."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return pair_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        pairs = LabelPair.objects.select_related("first", "second")
        pair = pairs.filter(pk=assignment.item.subject, project=assignment.item.project_id).first()
        if pair is None:
            raise AnnotateError(NO_PAIR)
        return {"first": pair.first.caption, "second": pair.second.caption}

    def example_parts(self, assignment: Assignment) -> list[str]:
        pairs = LabelPair.objects.select_related("first", "second")
        pair = pairs.filter(pk=assignment.item.subject).first()
        if pair is None:
            raise AnnotateError("These labels no longer exist. Choose another example.")
        verdict = VERDICTS.get(_chosen(assignment, assignment.draft), "")
        return [pair.first.caption, pair.second.caption, verdict]

    def texts(self, draft: Content) -> list[str]:
        return [VERDICTS.get(draft.get("kind", ""), "")]

    def names(self, items: Sequence[WorkItem]) -> dict[int, str]:
        return pair_names(items)
