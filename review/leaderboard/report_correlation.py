"""Correlate automatic metrics with people's ratings, over the models of a round (CaReBench,
appendix C, Table 15).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotate.models import Project
from metrics.correlation import VERSION
from review.captions import NAME as OVERLAP_NAME
from review.comparisons.models import Round, System
from review.leaderboard import CORRELATION_NAME, NAME
from review.leaderboard.correlating import RATINGS, Correlations, correlate
from review.leaderboard.metrics_by_set import Metric, metrics_by_set
from review.leaderboard.results import LEADERBOARD, StoredLeaderboard
from review.reports.inputs import Inputs
from review.reports.instructions import summary_for_signature
from review.reports.plain import AnyTable, Table
from review.reports.registry import ReportKind
from review.reports.stored import current_reports
from review.rounds.queries import instructions_of_systems, round_title, rounds_of

RUNNING = "The round is still running."
# The reports that ratings and metrics come from.
SOURCES = (NAME, OVERLAP_NAME, "capst")


@dataclass(frozen=True)
class CorrelationParameters:
    """`ratings`: the hash of the leaderboard with the ratings, which come from `votes` votes. The
    last three say how the models were asked."""

    round: int
    votes: int
    metrics: int
    ratings: str
    interval: str
    prompts: str
    theme: str
    asked: str


def correlation_inputs(project: Project) -> Iterator[Inputs]:
    """Return the ratings of each round that has any, and every stored metric of its models; the
    subject is the round's key.
    """
    rated = {
        report.report.subject: report
        for report in current_reports(project, LEADERBOARD)
        if report.numbers.elo.ratings
    }
    if not rated:
        return
    every = System.objects.filter(round__project=project).select_related("caption_set__run")
    systems = list(every.order_by("pk"))
    metrics = metrics_by_set(project, {system.caption_set_id for system in systems})
    for round in rounds_of(project).reverse():
        if stored := rated.get(str(round.pk)):
            own = [system for system in systems if system.round_id == round.pk]
            yield _inputs(round, stored, own, metrics)


def _inputs(
    round: Round,
    stored: StoredLeaderboard,
    systems: Sequence[System],
    metrics: Sequence[Metric],
) -> Inputs:
    report, numbers = stored.report, stored.numbers
    keys = [str(system.pk) for system in systems]
    ratings = {
        kind: {key: of_kind[key] for key in keys if key in of_kind}
        for kind, of_kind in zip(
            RATINGS, (numbers.elo.ratings, numbers.bradley_terry.ratings), strict=True
        )
    }
    sets = {str(system.pk): system.caption_set_id for system in systems}
    valued = [(metric, _by_system(metric, sets, ratings["elo"])) for metric in metrics]
    valued = [(metric, values) for metric, values in valued if values]
    return Inputs(
        subject=report.subject,
        method=f"metrics.correlation {VERSION}",
        parameters=CorrelationParameters(
            round=round.number,
            votes=report.inputs,
            metrics=len(valued),
            ratings=report.inputs_hash[:8],
            interval="fisher",
            **summary_for_signature(list(instructions_of_systems(systems).values())),
        ),
        labels=[
            *([kind, sorted(ratings[kind].items())] for kind in RATINGS),
            *([metric.key, metric.name, sorted(values.items())] for metric, values in valued),
        ],
        count=len(ratings["elo"]),
        compute=lambda: correlate(
            ratings, [(metric.key, metric.name, values) for metric, values in valued]
        ),
        tables=lambda: _tables(ratings, valued),
        withheld=lambda: "" if round.ended_at else RUNNING,
    )


def _by_system(
    metric: Metric, sets: Mapping[str, int], ratings: Mapping[str, float]
) -> dict[str, float]:
    return {
        system: metric.values[of_set]
        for system, of_set in sets.items()
        if system in ratings and of_set in metric.values
    }


def _tables(
    ratings: Mapping[str, Mapping[str, float]],
    valued: Sequence[tuple[Metric, Mapping[str, float]]],
) -> dict[str, AnyTable]:
    rated = [
        (kind, system, rating)
        for kind, of_kind in ratings.items()
        for system, rating in of_kind.items()
    ]
    measured = [
        (metric.key, metric.name, system, value)
        for metric, values in valued
        for system, value in values.items()
    ]
    return {
        "ratings": Table(("rating", "system", "value"), rated),
        "metrics": Table(("key", "name", "system", "value"), measured),
    }


KIND = ReportKind(
    CORRELATION_NAME,
    "Correlation",
    correlation_inputs,
    Correlations,
    follows=SOURCES,
    subject=lambda project, report: round_title(project, report.subject),
    about=lambda parameters: f"round {parameters.round}",
)
