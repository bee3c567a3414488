"""Known pairs of captions, for tests: a round of two models, and gold that a person holds."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from django.utils import timezone

from annotate.models import Assignment, Project, WorkItem
from review.captions.models import CaptionSet
from review.comparisons.content import shown_on
from review.comparisons.gold import give_gold
from review.comparisons.models import Round
from review.comparisons.services import caption_pair_of
from review.quality.services import set_rule
from review.rounds.services import open_round
from tests.cast import make_clip
from tests.review.comparisons.comparing import make_set
from tests.review.quality.known import RULE

COMPARE = "compare"
TRAINING, GOLD = WorkItem.Purpose.TRAINING, WorkItem.Purpose.GOLD
TEXTS = {"Egret": "A diver jumps.", "Heron": "Somebody jumps."}


def make_sets(project: Project) -> list[CaptionSet]:
    clips = [make_clip(project) for _ in range(6)]
    return [make_set(project, name, clips, text) for name, text in TEXTS.items()]


def begin(project, ada, sets, **settings) -> Round:
    options = {"votes_per_pair": 30, "repeat_percent": 0, "shared_percent": 0, **settings}
    return open_round(project=project, admin=ada, sets=sets, **options)


def ask(project, ada, **rule):
    set_rule(project=project, kind=COMPARE, admin=ada, requirements=replace(RULE, **rule))
    project.refresh_from_db()


def member(person, project):
    return person.memberships.select_related("project").get(project=project)


def open_gold(round, known_answer, person):
    """Have the person hold the known pair as gold, as if the round had just opened it for them."""
    caption_pair = give_gold(round, known_answer.item.subject, person)
    item = WorkItem.with_known_answers.create(
        project=round.project, clip=caption_pair.clip, kind=COMPARE, subject=caption_pair.pk,
        purpose=GOLD, reserved_for=person, open_slots=0,
    )  # fmt: skip
    ends = timezone.now() + timedelta(minutes=5)
    return Assignment.objects.create(item=item, annotator=person, lease_expires_at=ends)


def preferring(held, text) -> dict[str, str]:
    """What the page of the work sends if the person prefers the caption with this text."""
    caption_pair = caption_pair_of(held.item)
    outcome = "left" if caption_pair.left.caption.text == text else "right"
    return {"outcome": outcome, "shown": shown_on(caption_pair)}


def better(known_answer) -> str:
    """The text that the known answer prefers."""
    return caption_pair_of(known_answer.item).left.caption.text


def worse(known_answer) -> str:
    return caption_pair_of(known_answer.item).right.caption.text
