"""The page to write a modification: the change from one label to another in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotate.corpus.labels import counted_with
from annotate.errors import AnnotateError
from annotate.keys.lists import LOOPS, Key
from annotate.models import Assignment, Role, WorkItem
from annotate.queue.content import Content
from annotate.queue.fields import DraftField, key_of
from annotate.queue.work_kinds import Context, WorkKind
from annotate.text.words import count_words
from review.modifications.differences import differences_warned_of
from review.modifications.models import Modification
from review.modifications.queries import word_limits
from review.modifications.services import (
    ACTIONS,
    MAX_REASON_LENGTH,
    Direction,
    decided_text,
    direction_of,
    shown_proposal,
    submit_modification,
)
from review.modifications.text import plain_form
from review.pairs.names import direction_names
from review.pairs.sides import sides_of

State = Modification.State


def modify_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    try:
        direction = direction_of(assignment.item)
    except AnnotateError as error:
        return {"no_pair": str(error)}
    proposal = _proposal(assignment, direction)
    text = content.get("text", proposal.text if proposal else "")
    return {
        "direction": direction,
        "sides": sides_of(direction.pair, direction.source),
        "proposal": proposal,
        "decision": content.get("decision", "" if proposal else "edit"),
        "text": text,
        "reason": content.get("reason", ""),
        "keeps_same": content.get("keeps_same") == "1",
        "word_count": count_words(text),
        "limits": word_limits(direction.pair.project),
        "longest_reason": MAX_REASON_LENGTH,
        "warnings": warnings_about(direction, text),
        "is_withdrawn": assignment.item.state == WorkItem.State.CANCELLED,
    }


def _proposal(assignment: Assignment, direction: Direction) -> Modification | None:
    """Return the current proposal or, after submission, the one that was shown."""
    if assignment.state != Assignment.State.SUBMITTED:
        return shown_proposal(assignment.item, direction)
    shown_then = assignment.draft.get("proposal", "")
    of_pair = Modification.objects.filter(pair=direction.pair)
    return of_pair.filter(pk=int(shown_then)).first() if shown_then else None


def warnings_about(direction: Direction, text: str) -> list[str]:
    """Return what makes the text unclear as a query. A warning doesn't block submission."""
    plain = plain_form(text)
    if not plain:
        return []
    others = (
        Modification.objects.filter(
            source=direction.source, state__in=[State.WAITING, State.ACCEPTED]
        )
        .exclude(target__in=counted_with(direction.target))
        .select_related("target")
    )
    return [
        *(
            f"“{other.text}” reads the same and leads to {other.target.caption}."
            for other in others
            if plain_form(other.text) == plain
        ),
        *(
            f"It repeats the {name} word for word. Say only what changes."
            for name, label in (("source", direction.source), ("target", direction.target))
            if f" {plain_form(label.caption)} " in f" {plain} "
        ),
        *differences_warned_of(direction.source.caption, direction.target.caption, text),
    ]


class Modify(WorkKind):
    kind = "modify"
    label = "Modifications"
    roles = (Role.EXPERT, Role.REVIEWER)
    submitted = "Modification submitted"
    has_loops = True
    title = "Modification {}"
    counted_as = "Modifications written"
    template = "review/modifications/work_modify.html"
    next_label = "Write next modification"
    keys_heading = "The text"
    keys = (
        Key("accept", "Accept the proposed text, and next", ("KeyA",)),
        Key("edit", "Edit, write", ("KeyE",)),
        Key("reject", "Reject", ("KeyR",)),
    )
    media_keys = LOOPS
    submit = staticmethod(submit_modification)
    fields = (
        DraftField("decision", "What to do with the proposed text.", ACTIONS),
        DraftField("text", "The modification, for `edit`."),
        DraftField("reason", "Why no text fits, for `reject`."),
        key_of("proposal", "The proposed text, as in the task."),
        DraftField("keeps_same", "Keep the text although another reads the same.", ("1",)),
    )
    noun = "direction"
    skip_reasons = ("The labels are not a pair", "A label is unclear", "A video does not play")
    text_fields = ("text", "reason")
    example_headings = ("From", "To", "Modification", "Reason")
    none_yet = "Label pairs appear here once people agree on what differs. None are ready now."
    none_free = "No label pair waits for another person to write its text now."
    none_for_you = "You have written or skipped all open texts."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return modify_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        direction = direction_of(assignment.item)
        proposal = shown_proposal(assignment.item, direction)
        return {
            "source": direction.source.caption,
            "target": direction.target.caption,
            "proposal": {"key": str(proposal.pk), "text": proposal.text} if proposal else None,
        }

    def example_parts(self, assignment: Assignment) -> list[str]:
        direction, draft = direction_of(assignment.item), assignment.draft
        text = decided_text(assignment.item, draft)
        labels = [direction.source.caption, direction.target.caption]
        return [*labels, text, draft.get("reason", "")]

    def names(self, items: Sequence[WorkItem]) -> dict[int, str]:
        return direction_names(items)
