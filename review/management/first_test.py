"""Have the demo's reviewers pick the dives that texts describe, in a test that has ended.

The texts are real; who picked, when, and what, is made up: most picks are right.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from annotate.models import Assignment, Caption, Project, User, WorkItem
from annotate.queue.content import Content
from review.identification.models import IdentificationTest
from review.identification.queries import groups_to_test, task_of
from review.identification.services import end_test, start_test, submit_identification
from review.management.hand_work import do_next, spread
from review.management.past import days_ago

KINDS = (Caption.Kind.SPATIAL, Caption.Kind.TEMPORAL)
OPTIONS = 4
SEED = 4
SURE = 0.8  # share of right picks
SECONDS = range(20, 60)


def identify_clips(*, project: Project, people: Sequence[User], admin: User) -> None:
    """Start a test of the complete clips, pick for each text, and end it, unless a test exists or
    too little is complete. `people` must not have worked on the clips: others get no text of them.
    """
    if IdentificationTest.objects.filter(project=project).exists() or not groups_to_test(project):
        return
    chance = random.Random(SEED)

    def pick(assignment: Assignment) -> Content:
        task = task_of(assignment)
        assert task is not None
        own = task.clips.index(task.text.clip_id)
        is_right = chance.random() < SURE
        place = own if is_right else chance.choice([p for p in range(len(task.clips)) if p != own])
        return {"place": str(place + 1)}

    with days_ago(0.34):  # after the last text is written
        test = start_test(project=project, admin=admin, kinds=KINDS, options=OPTIONS, people=1)
    turns = [people[number % len(people)] for number in range(test.texts.count())]
    for person, ago in zip(turns, spread(len(turns), first=0.33, last=0.1), strict=True):
        with days_ago(ago):
            do_next(
                project=project,
                kind=WorkItem.Kind.IDENTIFY,
                person=person,
                submit=submit_identification,
                content=pick,
                seconds=chance.choice(SECONDS),
            )
    with days_ago(0.05):
        end_test(project=project, admin=admin)
