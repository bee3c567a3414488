"""Casts and changes votes in a round of blind comparisons, and shows the names afterwards."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.models import Assignment, User, WorkItem
from annotate.programs import is_counted
from annotate.queue.content import Content
from annotate.queue.services import Submission, submits
from review.comparisons.blindness import knows_captions, shares_captions
from review.comparisons.content import Choice, read_choice, shown_on, written
from review.comparisons.given_pairs import give_back
from review.comparisons.models import (
    CaptionPair,
    Round,
    SystemPair,
    Vote,
)
from review.comparisons.queries import counted_up_to
from review.errors import ReviewError

NAMES_SEEN = "You have seen which models wrote these captions, so you can’t vote on them again."
ROUND_ENDED = "This round has ended, so it takes no more votes."
COUNTED = "The leaderboard or the agreement already counts this vote, so you can’t change it."
# points of the left caption
POINTS = {"left": 1.0, "right": 0.0, "tie": 0.5, "both_bad": 0.5}


def caption_pair_of(item: WorkItem) -> CaptionPair:
    """Return the pair of the work. Raises AnnotateError if its clip has no pair."""
    caption_pair: CaptionPair | None = (
        CaptionPair.with_known_answers.filter(
            pk=item.subject, clip=item.clip_id, round__project=item.project_id
        )
        .select_related("pair", "round", "left__caption", "right__caption")
        .first()
    )
    if caption_pair is None:
        raise AnnotateError("This work has no pair of captions. Skip it.")
    return caption_pair


def _refuse_taken_back(assignment_id: int) -> None:
    """Raise an error that says that the round has ended, if that ended the person's assignment."""
    assignment = Assignment.objects.select_related("item").get(pk=assignment_id)
    is_training = assignment.item.purpose == WorkItem.Purpose.TRAINING
    if (
        not is_training
        and assignment.state != Assignment.State.SUBMITTED
        and caption_pair_of(assignment.item).round.ended_at
    ):
        raise AnnotateError(ROUND_ENDED)


@submits(when_lost=_refuse_taken_back)
def submit_vote(submission: Submission) -> None:
    """Store the vote of the form, once.

    Raises WorkInvalid with what to fix; AnnotateError if the form is for other captions or sides or
    another person's pair, or comes after the names were shown or the round ended; LeaseLost;
    DraftConflict.
    """
    unlocked = caption_pair_of(submission.item)
    store_vote(submission, unlocked)


def store_vote(submission: Submission, unlocked: CaptionPair) -> None:
    """Store the vote on the pair of the work, which may be gold, as `submit_vote` says. Read the
    pair once the item is locked: `end_round` waits for it before it says that the round ended.
    """
    assignment, content = submission.assignment, submission.content
    if unlocked.round.ended_at:
        raise AnnotateError(ROUND_ENDED)
    caption_pair = CaptionPair.with_known_answers.select_for_update(of=("self",)).get(
        pk=unlocked.pk
    )
    if caption_pair.reviewer_id != submission.person.pk:
        raise AnnotateError("These captions are assigned to somebody else. Skip them.")
    refuse_other_sides(caption_pair, content)
    if knows_captions(unlocked):
        raise AnnotateError(f"{NAMES_SEEN} Skip them.")
    choice = read_choice(content)
    _store(caption_pair, choice, assignment)
    if assignment.is_counted:
        _tally(caption_pair, choice, 1)
    submission.complete({**written(choice), "shown": content["shown"]})
    submission.record(
        verb="vote",
        subject=caption_pair,
        after={"outcome": choice.outcome},
    )


def refuse_other_sides(caption_pair: CaptionPair, content: Content) -> None:
    """Raise AnnotateError if the form is of a page with other captions or sides."""
    if not constant_time_compare(content.get("shown", ""), shown_on(caption_pair)):
        raise AnnotateError(
            "The page shows different captions or sides than this vote. "
            "Nothing was counted. Reload the page and vote again."
        )


@transaction.atomic
def change_vote(*, caption_pair: CaptionPair, reviewer: User, content: Content) -> Vote:
    """Replace the current vote, which is kept. The same vote again changes nothing.

    Raises WorkInvalid, and ReviewError if there is no vote to change, the names were shown, the
    round has ended, or published numbers count the vote, because their change would reveal which
    model was on which side.
    """
    round, caption_pair = _own(caption_pair, reviewer)
    if knows_captions(caption_pair):
        raise ReviewError(NAMES_SEEN)
    if round.ended_at:
        raise ReviewError("This round has ended, so you can’t change its votes.")
    votes = Vote.with_known_answers.filter(caption_pair=caption_pair)
    if votes.filter(pk__lte=counted_up_to(round.project, round.pk)).exists():
        raise ReviewError(COUNTED)
    choice = read_choice(content)
    before: Vote = Vote.with_known_answers.current().get(caption_pair=caption_pair)
    if Choice(before.outcome, tuple(before.reasons), before.remark) == choice:
        return before
    changed = _store(caption_pair, choice, before.assignment, corrects=before)
    if is_counted(reviewer.pk, round.project):
        _tally(caption_pair, Choice(before.outcome), -1)
        _tally(caption_pair, choice, 1)
    record_event(
        actor=reviewer,
        verb="change vote",
        subject=caption_pair,
        project=round.project,
        before={"outcome": before.outcome},
        after={"outcome": choice.outcome},
    )
    return changed


@transaction.atomic
def show_names(*, caption_pair: CaptionPair, reviewer: User) -> tuple[str, str]:
    """Return the names of the left and the right model, for the reviewer who has voted on them.

    From then on the vote can't be changed, and this reviewer gets no pair of this clip, nor either
    caption in another round, because they would recognize it. Raises ReviewError before the vote,
    and while the round hides names until its end.
    """
    round, caption_pair = _own(caption_pair, reviewer)
    if round.names_shown == Round.NamesShown.AFTER_ROUND and not round.ended_at:
        raise ReviewError("Names are shown after the round ends.")
    if not caption_pair.names_shown_at:
        now = timezone.now()
        own = CaptionPair.with_known_answers.filter(reviewer=reviewer, votes=None)
        waiting = own.filter(shares_captions(caption_pair))
        give_back(
            WorkItem.with_known_answers.filter(
                kind="compare",
                clip=caption_pair.clip_id,
                subject__in=list(waiting.values_list("pk", flat=True)),
            )
        )
        waiting.update(names_shown_at=now)
        CaptionPair.with_known_answers.filter(pk=caption_pair.pk).update(names_shown_at=now)
        record_event(actor=reviewer, verb="show names", subject=caption_pair, project=round.project)
    systems = ("left__system", "right__system")
    sides = CaptionPair.with_known_answers.select_related(*systems).get(pk=caption_pair.pk)
    return sides.left.system.name, sides.right.system.name


def _own(caption_pair: CaptionPair, reviewer: User) -> tuple[Round, CaptionPair]:
    """Return the locked pair with its round. Raises ReviewError unless this reviewer has voted on
    it.
    """
    with_sides = CaptionPair.with_known_answers.select_related("left", "right")
    caption_pair = with_sides.select_for_update(of=("self",)).get(pk=caption_pair.pk)
    votes = Vote.with_known_answers.filter(caption_pair=caption_pair)
    if caption_pair.reviewer_id != reviewer.pk or not votes.exists():
        raise ReviewError("Vote on these captions first.")
    return Round.objects.select_related("project").get(pk=caption_pair.round_id), caption_pair


def _store(
    caption_pair: CaptionPair,
    choice: Choice,
    assignment: Assignment | None,
    corrects: Vote | None = None,
) -> Vote:
    return Vote.with_known_answers.create(
        caption_pair=caption_pair,
        assignment=assignment,
        outcome=choice.outcome,
        reasons=list(choice.reasons),
        remark=choice.remark,
        corrects=corrects,
    )


def _tally(caption_pair: CaptionPair, choice: Choice, votes: int) -> None:
    """Update the counts that the next choice depends on; repeats and gold don't count."""
    if caption_pair.repeat_of_id or caption_pair.gold_of_id:
        return
    pair = SystemPair.objects.get(pk=caption_pair.pair_id)
    points = POINTS[choice.outcome]
    if caption_pair.left.system_id != pair.first_id:
        points = 1 - points
    SystemPair.objects.filter(pk=pair.pk).update(
        decided=F("decided") + votes, first_points=F("first_points") + votes * points
    )
