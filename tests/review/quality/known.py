"""Known answers made of dynamics checks, for tests."""

from __future__ import annotations

from uuid import uuid4

from annotate.models import Assignment, Project, User, WorkItem
from annotate.queue.work_kinds import take_work, work_kind
from review.quality.models import KnownAnswer
from review.quality.services import add_known_answer, set_rule
from tests.cast import make_clip
from tests.hand_work import DYNAMIC, hold_check, judge

KIND = WorkItem.Kind.DYNAMICS
RULE = {"pass_share": None, "tries": 2, "gold_rate": 0.0, "gold_limit": 0.7, "gold_least": 2}


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


def ask(project: Project, admin: User, **rule) -> None:
    set_rule(project=project, kind=KIND, admin=admin, **{**RULE, **rule})
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
