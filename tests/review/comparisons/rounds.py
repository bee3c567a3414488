"""Votes of a round as rows, for tests of what is computed from them."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.models import Clip, Project, User
from review.comparisons.models import (
    CaptionPair,
    Round,
    System,
    SystemCaption,
    SystemPair,
    Vote,
)
from review.reports.models import Report
from review.reports.services import recompute
from review.rounds.services import end_round
from tests.review.comparisons.comparing import start_round


def cast(
    round: Round,
    left: str,
    right: str,
    outcome: str,
    by: User | str,
    clip: Clip,
    *,
    repeat_of: Vote | None = None,
    reasons: Sequence[str] = (),
) -> Vote:
    """`by`'s vote about the clip's captions of the models called `left` and `right`."""
    sides = [
        SystemCaption.objects.get(system__round=round, system__name=name, clip=clip)
        for name in (left, right)
    ]
    first, second = sorted(side.system_id for side in sides)
    caption_pair = CaptionPair.objects.create(
        round=round,
        pair=SystemPair.objects.get(first=first, second=second),
        clip=clip,
        left=sides[0],
        right=sides[1],
        repeat_of=repeat_of.caption_pair if repeat_of else None,
        **({"label": by} if isinstance(by, str) else {"reviewer": by}),
    )
    return Vote.objects.create(caption_pair=caption_pair, outcome=outcome, reasons=list(reasons))


def change(before: Vote, outcome: str) -> Vote:
    return Vote.objects.create(caption_pair=before.caption_pair, outcome=outcome, corrects=before)


def leaderboard_of(round: Round) -> Report:
    """The report of this round as its votes are now."""
    reports = recompute(project=round.project, name="leaderboard")
    return next(report for report in reports if report.subject == str(round.pk))


def by_name(numbers: dict) -> dict:
    """The numbers of a report by the models' names instead of their systems' keys."""
    names = {str(key): name for key, name in System.objects.values_list("pk", "name")}
    return {names[key]: number for key, number in numbers.items()}


def rated_round(project: Project, clip: Clip) -> Round:
    """An ended round of two models with one vote, which is counted."""
    round = start_round(project, [clip], ("Rail", "Teal"))
    cast(round, "Rail", "Teal", "left", "R1", clip)
    ended = end_round(round=round, admin=None)
    leaderboard_of(ended)
    return ended
