"""Training and gold of the demo's comparisons, from clear votes in its round.

All voters are let in without the training but one, who is left to try it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import uuid4

from django.db import transaction
from django.db.models import F

from annotate.models import Assignment, Membership, Project, User, WorkItem
from annotate.queue.services import take_known
from annotate.queue.work_kinds import work_kind
from review.comparisons.content import shown_on
from review.comparisons.gold import give_gold
from review.comparisons.models import CaptionPair, Round
from review.comparisons.services import caption_pair_of
from review.management.first_round import WRITE_UPS
from review.management.past import days_ago
from review.quality.models import KnownAnswer, Requirements
from review.quality.queries import finished_sources, gold_for, known_answers
from review.quality.services import add_known_answer, let_in, set_rule
from review.quality.votes import seen_from

COMPARE = WorkItem.Kind.COMPARE
Purpose = WorkItem.Purpose
TRAINING_ITEMS, GOLD_ITEMS = 2, 3
EXPLANATION = (
    "One caption says who does what, and in which order. The other lists what was measured: "
    "colors, light and how much moves."
)
SECONDS = 40


def know_votes(*, project: Project, trainee: User, others: Sequence[User], admin: User) -> None:
    """Use clear votes of the running round for training and as gold, unless that is done. The
    trainee has voted like the `others`, but must pass the training before more."""
    round = project.rounds.filter(ended_at=None).first()
    if round is None or known_answers(project, COMPARE, Purpose.TRAINING).exists():
        return
    clear = [source for source in finished_sources(project, COMPARE) if _is_clear(source)]
    new = [source for source in clear if not _was_given(source, trainee)]
    training = new[:TRAINING_ITEMS]
    gold = [source for source in (*new, *clear) if source not in training][:GOLD_ITEMS]
    if len(training) < TRAINING_ITEMS or len(gold) < GOLD_ITEMS:
        return
    with days_ago(0.15):
        for purpose, sources in ((Purpose.TRAINING, training), (Purpose.GOLD, gold)):
            for source in sources:
                add_known_answer(
                    project=project, kind=COMPARE, source_id=source.pk, purpose=purpose,
                    explanation=EXPLANATION, admin=admin,
                )  # fmt: skip
        set_rule(
            project=project,
            kind=COMPARE,
            admin=admin,
            requirements=Requirements(
                pass_share=0.5, tries=3, gold_rate=0.1, gold_limit=0.6, gold_least=5
            ),
        )
        for person in others:
            let_in(project=project, person=person, kind=COMPARE, admin=admin)
    with days_ago(0.1):
        people = (trainee, *others)
        gold_of_people = [
            (person, known_answer)
            for person in people
            for known_answer in gold_for(project, person, COMPARE)
        ]
        for number, (person, known_answer) in enumerate(gold_of_people):
            _vote(round, known_answer, person, is_right=number != 1)


def _is_clear(source: Assignment) -> bool:
    """Return whether a write-up won against a draft that was measured."""
    caption_pair = caption_pair_of(source.item)
    names = {"left": caption_pair.left.system.name, "right": caption_pair.right.system.name}
    winner = names.get(source.draft["outcome"])
    return winner in WRITE_UPS and not set(names.values()) <= set(WRITE_UPS)


def _was_given(source: Assignment, person: User) -> bool:
    caption_pair = caption_pair_of(source.item)
    own = CaptionPair.objects.filter(
        pair=caption_pair.pair_id, clip=caption_pair.clip_id, reviewer=person
    )
    return own.exists()


@transaction.atomic
def _vote(round: Round, known_answer: KnownAnswer, person: User, *, is_right: bool) -> None:
    caption_pair = give_gold(round, known_answer.item.subject, person)
    if caption_pair is None:
        return
    item = WorkItem.of_any_purpose.create(
        project=round.project, clip=caption_pair.clip, kind=COMPARE, subject=caption_pair.pk,
        purpose=Purpose.GOLD, reserved_for=person,
    )  # fmt: skip
    membership = Membership.objects.select_related("project", "user").get(
        project=round.project, user=person
    )
    held = take_known(membership=membership, item=item)
    if held is None:
        return
    Assignment.objects.filter(pk=held.pk).update(
        claimed_at=F("claimed_at") - timedelta(seconds=SECONDS),
        active_seconds=SECONDS,
        watched=[[0, caption_pair.clip.frames]],
    )
    right = seen_from(caption_pair, known_answer.content["outcome"])
    content = {"outcome": right if is_right else "tie", "shown": shown_on(caption_pair)}
    work_kind(COMPARE).submit(
        assignment_id=held.pk, annotator=person, key=uuid4(), base_version=0, content=content
    )
