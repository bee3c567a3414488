"""Blind comparisons of two models' captions (CaReBench, appendix C), without their sides.

Two people who prefer the same caption agree, whichever side it was on. So each outcome is converted
to the first or second system of the pair before the vote.
"""

from __future__ import annotations

from typing import Any

from django.db.models import F, QuerySet

from annotate.models import Project
from review.comparisons.models import Vote
from review.comparisons.queries import votes_to_count
from review.reports.answers import Question, Share
from review.reports.questions import Read, Task, rater_key

Outcome = Vote.Outcome
FIRST, SECOND = "first", "second"
CATEGORIES = [FIRST, SECOND, Outcome.TIE.value, Outcome.BOTH_BAD.value]
_SIDES = {Outcome.LEFT.value, Outcome.RIGHT.value}


def _votes(project: Project) -> QuerySet[Vote]:
    """Return the current votes that count, except those on captions that name their model."""
    return votes_to_count(project).filter(
        correction=None,
        caption_pair__clip__video__excluded_because="",
        caption_pair__clip__excluded_because="",
        caption_pair__left__names_its_model="",
        caption_pair__right__names_its_model="",
    )


def _read(project: Project) -> list[Any]:
    """Return caption pair, repeated caption pair, pair of systems, clip, rater, whether the first
    system was on the left, and the vote.
    """
    votes = (
        _votes(project)
        .order_by("caption_pair__pair", "caption_pair__clip", "caption_pair", "pk")
        .values_list(
            "caption_pair",
            "caption_pair__repeat_of",
            "caption_pair__pair",
            "caption_pair__clip",
            "caption_pair__reviewer",
            "caption_pair__label",
            F("caption_pair__left__system"),
            F("caption_pair__pair__first"),
            "outcome",
        )
    )
    return [
        [caption_pair, repeats, pair, clip, rater_key(user, label), left == first, outcome]
        for caption_pair, repeats, pair, clip, user, label, left, first, outcome in votes
    ]


def turned(outcome: str, first_left: bool) -> str:
    """Return the outcome in terms of the pair, regardless of side."""
    if outcome not in _SIDES:
        return outcome
    return FIRST if (outcome == Outcome.LEFT) == first_left else SECOND


def _ask(rows: list[Any]) -> Read:
    """Return the questions. A pair belongs to one round, so pair and clip are the unit. A repeat
    measures consistency, not agreement with others. If an imported label has several votes on a
    unit, the newest counts.
    """
    answers: dict[int, str] = {}
    newest: dict[tuple[str, tuple[int, int]], str] = {}
    repeats: list[tuple[int, int]] = []
    sides: list[str] = []
    for caption_pair, repeated, pair, clip, rater, first_left, outcome in rows:
        answers[caption_pair] = turned(outcome, first_left)
        if outcome in _SIDES:
            sides.append(outcome)
        if repeated is None:
            newest[rater, (pair, clip)] = answers[caption_pair]
        else:
            repeats.append((repeated, caption_pair))
    both = [(before, after) for before, after in repeats if before in answers]
    return Read(
        [Question("outcome", CATEGORIES, [(*key, outcome) for key, outcome in newest.items()])],
        [
            Share(
                "repeats",
                sum(answers[before] == answers[after] for before, after in both),
                len(both),
                "Nobody has voted on the same two captions twice.",
            ),
            Share(
                "left",
                sides.count(Outcome.LEFT.value),
                len(sides),
                "No vote prefers a side.",
            ),
        ],
    )


COMPARISONS = Task("comparisons", _votes, _read, _ask)
