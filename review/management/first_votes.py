"""Have the demo's people vote in its round, and leave pairs to try.

The captions are real; who voted, when, and for which caption is made up: most of the time, texts by
people win against measured ones, and of two of one kind the longer one wins.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from annotate.models import Assignment, Project, User, WorkItem
from annotate.queue.content import Content
from review.comparisons.content import shown_on
from review.comparisons.models import CaptionPair, Vote
from review.comparisons.services import caption_pair_of, submit_vote
from review.management.first_round import DRAFT, OPENING, WRITE_UPS
from review.management.hand_work import do_next, spread
from review.management.past import days_ago

VOTES = 14  # votes of each person
SEED = 9
SURE = 0.85  # share of votes for the better caption
REMARK = "Simulated for the demo."
SECONDS = range(25, 95)
WORTH = {OPENING: 0, DRAFT: 1, WRITE_UPS[1]: 2, WRITE_UPS[0]: 2}


def vote_first(*, project: Project, people: Sequence[User]) -> None:
    """Cast VOTES votes of each person over the last days, unless a vote exists."""
    if Vote.objects.filter(caption_pair__round__project=project).exists():
        return
    chance = random.Random(SEED)
    turns = [person for _ in range(VOTES) for person in people]
    for person, ago in zip(turns, spread(len(turns), first=6, last=0.2), strict=True):
        with days_ago(ago):
            _vote(project, person, chance)


def _vote(project: Project, person: User, chance: random.Random) -> None:
    def content(assignment: Assignment) -> Content:
        caption_pair = caption_pair_of(assignment.item)
        outcome = _outcome(caption_pair, chance)
        return {"outcome": outcome, "shown": shown_on(caption_pair), "remark": REMARK}

    do_next(
        project=project,
        kind=WorkItem.Kind.COMPARE,
        person=person,
        submit=submit_vote,
        content=content,
        seconds=chance.choice(SECONDS),
    )


def _outcome(caption_pair: CaptionPair, chance: random.Random) -> str:
    left, right = (_worth(caption.system.name, caption.caption.word_count)
                   for caption in (caption_pair.left, caption_pair.right))  # fmt: skip
    if left[0] == right[0] == 0:
        return "both_bad"
    better, worse = ("left", "right") if left > right else ("right", "left")
    if left[0] == right[0] and chance.random() < 0.3:
        return "tie"
    return better if chance.random() < SURE else worse


def _worth(name: str, words: int) -> tuple[int, int]:
    return WORTH[name], words
