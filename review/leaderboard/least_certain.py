"""The widest interval of a round's ratings, as its card shows it."""

from __future__ import annotations

from collections.abc import Mapping

from metrics.pairwise.strength import BradleyTerry
from metrics.sequential import widening
from review.comparisons.models import Round
from review.rounds.queries import votes_and_asked
from review.studies.card import Interval, Measure

MEASURE = Measure(
    noun="votes",
    number="",
    unit="rating points",
    digits="0g",
    width=100,
    largest=2000,
    at_every_look="the usual interval, widened by Robbins’ mixture",
)


def least_certain(fitted: BradleyTerry, votes: int, reason: str, round: Round) -> Interval:
    """Return the widest interval of any model, around 0; none unless all models have one."""
    low: Mapping[str, float | None] = fitted.low  # None for all if there are few clips
    high: Mapping[str, float | None] = fitted.high
    ends = [
        (bottom, top)
        for model in fitted.ratings
        if (bottom := low[model]) is not None and (top := high[model]) is not None
    ]
    name = "Least certain model"
    if len(ends) < len(fitted.ratings):
        return Interval(name, votes, None, None, reason=reason)
    width = max(top - bottom for bottom, top in ends)
    if round.project.intervals_hold_at_every_look:
        width *= widening(votes, max(votes_and_asked(round)[1], 1))
    return Interval(name, votes, -width / 2, width / 2)
