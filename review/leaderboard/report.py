"""Elo and Bradley-Terry ratings of a round's models (CaReBench, appendix C, Tables 13 and 14)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields

from annotate.models import Project
from metrics.pairwise.strength import VERSION
from review.comparisons.cast import VOTE_BATCH_SIZE, Cast
from review.comparisons.models import Round
from review.comparisons.queries import cast_in, votes_to_count
from review.leaderboard import NAME
from review.leaderboard.computing import N_REPLAYS, SEED, LeaderboardResult, Settings, rate_models
from review.leaderboard.results import LeaderboardParameters
from review.reports.inputs import Inputs
from review.reports.instructions import summary_for_signature
from review.reports.plain import Table
from review.reports.registry import ReportKind
from review.rounds.queries import instructions_of_round, round_title, rounds_of
from review.rounds.services import TABLE_13

RUNNING = "The round is still running."
# The version of the choice and order of votes; a new version gives new results.
COUNTING = 3
METHOD = f"metrics.pairwise {VERSION}, counting {COUNTING}"


def leaderboard_inputs(project: Project) -> Iterator[Inputs]:
    """Return all countable votes of each round that has any; the subject is the round's key."""
    votes = votes_to_count(project)
    for round in rounds_of(project).reverse():
        cast = cast_in(round, votes)
        if cast:
            yield _inputs(round, cast)


def elo_settings(round: Round) -> Settings:
    """Return the round's Elo parameters, with the defaults of Table 13."""
    settings = {**TABLE_13, **round.elo}
    return Settings(**{field.name: settings[field.name] for field in fields(Settings)})


def both_bad_of(round: Round) -> str:
    return "tie" if round.both_bad_is_tie else "leave_out"


def _inputs(round: Round, cast: list[Cast]) -> Inputs:
    counted = [vote for vote in cast if not vote.why]
    settings = elo_settings(round)
    return Inputs(
        subject=str(round.pk),
        method=METHOD,
        parameters=LeaderboardParameters(
            round=round.number,
            cast=len(cast),
            models=len({model for vote in counted for model in (vote.left, vote.right)}),
            reviewers=len({vote.rater for vote in counted}),
            clips=len({vote.clip for vote in counted}),
            **asdict(settings),
            both_bad=both_bad_of(round),
            replays=N_REPLAYS,
            interval="sandwich",
            **summary_for_signature(list(instructions_of_round(round).values())),
        ),
        labels=cast,
        count=len(counted),
        compute=lambda: rate_models(cast, settings, both_bad_of(round), VOTE_BATCH_SIZE),
        seed=SEED,
        tables=lambda: {"votes": Table(Cast._fields, cast, people=("rater",))},
        withheld=lambda: "" if round.ended_at else RUNNING,
    )


KIND = ReportKind(
    NAME,
    "Leaderboard",
    leaderboard_inputs,
    LeaderboardResult,
    page="metrics",
    of_people=True,
    subject=lambda project, report: round_title(project, report.subject),
    about=lambda parameters: f"round {parameters.round}",
)
