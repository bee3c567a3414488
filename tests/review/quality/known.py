"""Known answers made of dynamics checks and votes, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from uuid import uuid4

from annotate.models import Assignment, Project, User
from annotate.queue.services.taking import take_work
from annotate.queue.work_kinds import work_kind
from review.captions.models import CaptionSet
from review.quality.models import KnownAnswer, Requirements
from review.quality.services import add_known_answer, set_rule
from review.rounds.services import end_round, open_round
from tests.cast import make_clip
from tests.hand_work import DYNAMIC, hold_check, judge
from tests.review.comparisons.comparing import next_caption_pair, vote

KIND = "dynamics"
RULE = Requirements(pass_share=None, tries=2, gold_rate=0.0, gold_limit=0.7, gold_least=2)


def make_known(
    project: Project,
    admin: User,
    judges: list[User],
    purpose: str,
    content=DYNAMIC,
    make=make_clip,
) -> KnownAnswer:
    """A finished dynamics check whose answer, dynamic by default, is known."""
    clip = make(project)
    for person in judges:
        judge(hold_check(person, clip.video), content)
    source = Assignment.objects.filter(item__clip=clip).first()
    return add_known_answer(
        project=project,
        kind=KIND,
        source_id=source.pk,
        purpose=purpose,
        explanation="Things move in it.",
        admin=admin,
    )


def make_known_pairs(
    project: Project, admin: User, voter: User, sets: list[CaptionSet], *purposes: str, **settings
) -> list[KnownAnswer]:
    """Pairs that the voter compared in a round of these sets, which has ended, with the left
    caption as the better one."""
    pilot = open_round(
        project=project, admin=admin, sets=sets, votes_per_pair=50, repeat_percent=0,
        shared_percent=0, **settings,
    )  # fmt: skip
    held = []
    for _ in purposes:
        held.append(next_caption_pair(project, voter)[0])
        vote(held[-1], "left")
    end_round(round=pilot, admin=admin)
    return [
        add_known_answer(
            project=project,
            kind="compare",
            source_id=source.pk,
            purpose=purpose,
            explanation="It says who jumps.",
            admin=admin,
        )
        for source, purpose in zip(held, purposes, strict=True)
    ]


def ask(project: Project, admin: User, **rule) -> None:
    set_rule(project=project, kind=KIND, admin=admin, requirements=replace(RULE, **rule))
    project.refresh_from_db()


def take(person: User, project: Project, kind: str = KIND) -> Assignment | None:
    membership = person.memberships.select_related("project").get(project=project)
    return take_work(membership=membership, kind=kind)


def answer(assignment: Assignment, content) -> Assignment:
    assignment.refresh_from_db()
    return work_kind(assignment.item.kind).submit(
        assignment_id=assignment.pk,
        annotator=assignment.annotator,
        key=uuid4(),
        base_version=assignment.draft_version,
        content=content,
    )


def seed_for(person: User, order: Sequence[str]) -> str:
    """A seed by which the person gets this order of gold and work at a rate of one half."""
    for seed in map(str, range(10_000)):
        digests = [sha256(f"{seed} {person.pk} {n}".encode()).digest() for n in range(len(order))]
        if [("work", "gold")[digest[0] < 128] for digest in digests] == list(order):
            return seed
    raise AssertionError("No seed gives this order.")
