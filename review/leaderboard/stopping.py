"""The widest interval of a round's ratings over its votes, and ending the round once it is narrow
enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metrics.sequential import widening
from review.comparisons.models import Round
from review.leaderboard.results import leaderboard_parameters
from review.reports.models import Report
from review.reports.results import result_of
from review.reports.small_samples import is_few, too_few_reason
from review.rounds.queries import votes_and_asked
from review.rounds.services import end_round
from review.studies.models import StoppingRule
from review.studies.precision import FIXED, MIXTURE, Course, Step
from review.studies.stopping import note_reached


@dataclass(frozen=True)
class RatedPoint:
    """The part of a Bradley-Terry rating after so many votes that is read here."""

    votes: int
    ratings: Mapping[str, float]
    low: Mapping[str, float | None]
    high: Mapping[str, float | None]
    clips: int | None = None


@dataclass(frozen=True)
class RatedPath:
    bradley_terry_path: Sequence[RatedPoint]


def course_of_round(report: Report, round: Round, *, is_sequential: bool) -> Course:
    """Return the widest interval of any model after more and more votes, centered on 0 so that it
    doesn't reveal the model. As on the leaderboard, votes on too few clips give none: its standard
    error comes from how much the clips differ.
    """
    planned = max(votes_and_asked(round)[1], 1)
    steps = []
    for point in result_of(report, RatedPath).bradley_terry_path:
        if is_few(clips_of(report, point)):
            steps.append(Step(point.votes, None, None, None))
            continue
        widths = [
            high - low
            for model in point.ratings
            if (low := point.low.get(model)) is not None
            and (high := point.high.get(model)) is not None
        ]
        if widths and len(widths) == len(point.ratings):
            factor = widening(point.votes, planned) if is_sequential else 1.0
            width = factor * max(widths)
            steps.append(Step(point.votes, 0.0, -width / 2, width / 2))
    return Course(steps, MIXTURE if is_sequential else FIXED)


def clips_of(report: Report, point: RatedPoint) -> int:
    """Return on how many clips the votes up to this point are; at most, in an older report."""
    return leaderboard_parameters(report).clips if point.clips is None else point.clips


def small_sample_reason(report: Report) -> str:
    """Return why the last point of the course has no interval; empty if it has one."""
    path = result_of(report, RatedPath).bradley_terry_path
    clips = clips_of(report, path[-1]) if path else 0
    return too_few_reason(clips) if path and is_few(clips) else ""


def stop_if_precise(rule: StoppingRule | None, report: Report) -> None:
    """End the round if its rule says so, in the transaction that stores the report."""
    if rule is None or rule.round is None or rule.round.ended_at:
        return
    course = course_of_round(report, rule.round, is_sequential=True)
    if course.steps and note_reached(rule, [course]):
        end_round(round=rule.round, admin=None)
