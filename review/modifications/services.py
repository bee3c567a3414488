"""Collect modifications, the change from one label to another in words, for each direction of a
decided pair.
"""

from __future__ import annotations

from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from annotate.audit import record_event
from annotate.corpus.labels import counted_with
from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import ActionLabel, Assignment, Clip, User, WorkItem
from annotate.queue.content import Content
from annotate.queue.services import Submission, submits
from annotate.text.parts import Problem
from review.errors import ReviewError
from review.modifications.models import Modification
from review.modifications.queries import IN_USE, word_limits
from review.modifications.text import Limits, plain_form, problem_with
from review.pairs.models import LabelPair

State = Modification.State
MODIFY = "modify"
ACTIONS = ("accept", "edit", "reject")
MAX_REASON_LENGTH = 500


class Direction(NamedTuple):
    pair: LabelPair
    source: ActionLabel
    target: ActionLabel


def direction_of(item: WorkItem) -> Direction:
    """Return the direction of the work, whose clip shows the source. Raises AnnotateError if clip
    and pair no longer match.
    """
    pair = (
        LabelPair.objects.select_related("first", "second")
        .filter(pk=item.subject, project=item.project_id)
        .first()
    )
    source = Clip.objects.values_list("label", flat=True).get(pk=item.clip_id)
    if pair is None or source not in {pair.first_id, pair.second_id}:
        raise AnnotateError(
            "This clip no longer has a label of the pair. Skip this direction and tell an admin."
        )
    ends = (pair.first, pair.second) if source == pair.first_id else (pair.second, pair.first)
    return Direction(pair, *ends)


def proposed_text(direction: Direction) -> Modification | None:
    """Return the model's text that awaits a decision."""
    return Modification.objects.filter(
        pair=direction.pair, source=direction.source, state=State.WAITING
    ).first()


def shown_proposal(item: WorkItem, direction: Direction) -> Modification | None:
    """Return the model's text that the page of the work shows: the one that waits or, in a
    training, the one that its known answer was about."""
    if item.purpose == WorkItem.Purpose.WORK:
        return proposed_text(direction)
    return _proposal_of(direction.pair, item.context.get("proposal", ""))


def decided_text(item: WorkItem, content: Content) -> str:
    """Return the text that a decision accepts, the proposed one or another; empty for none."""
    action = content.get("decision", "")
    if action == "accept":
        proposal = _proposal_of(direction_of(item).pair, content.get("proposal", ""))
        return proposal.text if proposal else ""
    return content.get("text", "") if action == "edit" else ""


def _proposal_of(pair: LabelPair, key: str) -> Modification | None:
    if not (key.isascii() and key.isdigit()):
        return None
    return Modification.objects.filter(pair=pair, pk=int(key)).first()


def follow_pair(pair: LabelPair, before: str) -> None:
    """Open the work on texts of a pair that people accepted, and withdraw it for one
    they rejected.
    """
    if pair.kind in IN_USE:
        open_modifications(pair)
    elif before in IN_USE:
        withdraw_modifications(pair)


def open_modifications(pair: LabelPair) -> None:
    """Open work for one person for each direction of the pair whose labels have a clip. Safe to
    repeat.
    """
    for source in (pair.first_id, pair.second_id):
        _open_direction(pair, source)


def ask_for_direction(pair: LabelPair, source: int) -> None:
    """Open work for one more person, on the text from the label `source` to the
    pair's other label.
    """
    done = WorkItem.objects.filter(
        project=pair.project_id,
        kind=MODIFY,
        subject=pair.pk,
        clip__label=source,
        state=WorkItem.State.DONE,
    )
    item = done.order_by("pk").first()
    if item is None:
        _open_direction(pair, source)
    else:
        _ask_one_more(item)


def _open_direction(pair: LabelPair, source: int) -> None:
    clip = Clip.objects.filter(label=source).order_by("pk").first()
    if clip is None:
        return
    item, is_new = WorkItem.objects.get_or_create(
        clip=clip,
        kind=MODIFY,
        subject=pair.pk,
        defaults={"project_id": pair.project_id, "priority": pair.similarity},
    )
    if not is_new:
        WorkItem.objects.filter(pk=item.pk, state=WorkItem.State.CANCELLED).update(
            state=WorkItem.State.OPEN
        )


def _ask_one_more(item: WorkItem) -> None:
    WorkItem.objects.filter(pk=item.pk).update(
        needed=F("needed") + 1, open_slots=F("open_slots") + 1, state=WorkItem.State.OPEN
    )


def withdraw_modifications(pair: LabelPair) -> None:
    """Withdraw the pair's open work; people who have begun may finish."""
    WorkItem.objects.filter(
        project=pair.project_id, kind=MODIFY, subject=pair.pk, state=WorkItem.State.OPEN
    ).update(state=WorkItem.State.CANCELLED)


@submits()
def submit_modification(submission: Submission) -> None:
    """Accept the proposed text, accept another in its place, or reject the direction with a reason.

    `content` has `decision` ("accept", "edit", "reject"), `text`, `reason`, `proposal` (the key of
    the proposed text shown), and `keeps_same` ("1") to keep the text although an equivalent one
    exists. Raises WorkInvalid, AnnotateError, LeaseLost, or DraftConflict.
    """
    assignment, content = submission.assignment, submission.content
    direction = direction_of(assignment.item)
    proposal = proposed_text(direction)
    limits = word_limits(direction.pair.project)
    action, text, reason = checked_modification(content, proposal, limits)
    if _accepted(direction):
        raise AnnotateError("This direction already has an accepted text. Skip it.")
    if text and content.get("keeps_same") != "1":
        _ask_about_same_words(direction, text)
    submission.complete()
    if action == "reject":
        _decide(proposal, State.REJECTED, assignment)
    elif proposal and text == proposal.text:
        _decide(proposal, State.ACCEPTED, assignment)
    else:
        _decide(proposal, State.EDITED)
        Modification.objects.create(
            pair=direction.pair,
            source=direction.source,
            target=direction.target,
            text=text,
            state=State.ACCEPTED,
            parent=proposal,
            author=submission.person,
            assignment=assignment,
        )
    submission.record(
        verb=f"{action} modification",
        subject=direction.pair,
        before={"proposed": proposal.text if proposal else ""},
        after={"source": direction.source.key, "text": text, "reason": reason},
    )


@transaction.atomic
def ask_again(*, item_id: int, admin: User) -> WorkItem:
    """Open work for one more person on a rejected direction. Raises ReviewError if it wasn't
    rejected, or if its labels are no longer a pair.
    """
    item = WorkItem.objects.select_for_update().select_related("project").get(pk=item_id)
    try:
        direction = direction_of(item)
    except AnnotateError as error:
        raise ReviewError(str(error)) from error
    if item.state != WorkItem.State.DONE or _accepted(direction):
        raise ReviewError("This direction is still open, or it already has a text.")
    if direction.pair.kind not in IN_USE:
        raise ReviewError("These labels were judged not to be a pair.")
    _ask_one_more(item)
    record_event(actor=admin, verb="ask again", subject=item, project=item.project)
    return item


def checked_modification(
    content: Content, proposal: Modification | None, limits: Limits
) -> tuple[str, str, str]:
    """Return (action, text, reason); the text is empty if none is accepted. Raises WorkInvalid."""
    action = content.get("decision", "")
    if content.get("proposal", "") != str(proposal.pk if proposal else ""):
        message = "The proposed text has changed. Reload the page and read it first."
        raise WorkInvalid([Problem("decision", message)])
    if action not in ACTIONS or (action == "accept" and proposal is None):
        choices = "accept, edit or reject" if proposal else "write the text or reject"
        raise WorkInvalid([Problem("decision", f"Choose to {choices}.")])
    if action == "accept" and proposal:
        return action, proposal.text, ""
    if action == "edit":
        text = " ".join(content.get("text", "").split())
        if problem := problem_with(text, limits):
            raise WorkInvalid([Problem("text", problem)])
        return action, text, ""
    reason = content.get("reason", "").strip()
    if not reason:
        raise WorkInvalid([Problem("reason", "Say why no text fits, in a few words.")])
    if len(reason) > MAX_REASON_LENGTH:
        message = f"Shorten the reason to {MAX_REASON_LENGTH} characters (it has {len(reason)})."
        raise WorkInvalid([Problem("reason", message)])
    return action, "", reason


def _ask_about_same_words(direction: Direction, text: str) -> None:
    if other := reads_the_same(text, direction.source, direction.target):
        message = (
            f"“{other.text}” reads the same and leads to {other.target.caption}. Triplets can't "
            "be generated from both. Write another text, or tick this."
        )
        raise WorkInvalid([Problem("keeps_same", message)])


def reads_the_same(text: str, source: ActionLabel, target: ActionLabel) -> Modification | None:
    """Return an accepted, equivalent text from this source to another target that doesn't count as
    one with this target. Triplets can't be generated while both exist.
    """
    others = (
        Modification.objects.filter(source=source, state=State.ACCEPTED, pair__kind__in=IN_USE)
        .exclude(target__in=counted_with(target))
        .select_related("target")
        .order_by("pk")
    )
    plain = plain_form(text)
    return next((other for other in others if plain_form(other.text) == plain), None)


def _accepted(direction: Direction) -> bool:
    return Modification.objects.filter(
        pair=direction.pair, source=direction.source, state=State.ACCEPTED
    ).exists()


def _decide(
    proposal: Modification | None, state: Modification.State, by: Assignment | None = None
) -> None:
    if proposal:
        # The person who decides sees the current labels.
        proposal.state, proposal.assignment, proposal.is_outdated = state, by, False
        proposal.save(update_fields=["state", "assignment", "is_outdated"])
