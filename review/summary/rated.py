"""Human ratings of models, as in CaReBench's Table 14."""

from __future__ import annotations

from review.leaderboard.pages import named
from review.leaderboard.results import LEADERBOARD, StoredLeaderboard
from review.reports.cells import LOW, Cell, Column, Row
from review.reports.small_samples import shown_ratings
from review.reports.tables import Section, Table
from review.summary.loading import Loaded


def newest_ratings(loaded: Loaded) -> StoredLeaderboard | None:
    """Return the ratings of the newest round that has any."""
    if loaded.round is None:
        return None
    stored = loaded.of_subject(LEADERBOARD).get(str(loaded.round.pk))
    return stored if stored and stored.numbers.elo.ratings else None


def ratings_section(loaded: Loaded, rated: StoredLeaderboard) -> Section:
    report, elo, fitted = rated.report, rated.numbers.elo, rated.numbers.bradley_terry
    clips = rated.parameters.clips
    ratings = shown_ratings(fitted, clips)
    ranks, reason = ratings.ranks or {}, named(fitted.reason, loaded.systems)
    unranked = named(ratings.reason, loaded.systems)
    rows = tuple(
        Row(
            loaded.systems.get(key, f"Model {key}"),
            "",
            (
                Cell(ranks.get(key), report, reason="" if ranks else unranked),
                Cell(
                    fitted.ratings.get(key),
                    report,
                    fitted.low.get(key),
                    fitted.high.get(key),
                    reason,
                    clips=clips,
                ),
                Cell(rating, report),
                Cell(elo.mean.get(key), report),
                Cell(elo.sd.get(key), report),
            ),
            report.pk in loaded.old,
            loaded.asked_of_systems.get(key),
        )
        for key, rating in elo.ratings.items()
    )
    columns = (
        Column("rank", "Rank", digits=0, best=LOW),
        Column("bradley_terry", "Bradley–Terry", digits=0, drawn="first", has_zero=False),
        Column("elo", "Elo", digits=2, best=""),
        Column("elo_mean", "mean", "Elo in other orders", digits=1, best=""),
        Column("elo_sd", "SD", "Elo in other orders", digits=1, best=""),
    )
    table = Table(columns, rows)
    return Section(
        key="ratings",
        title="Human ratings",
        paper="Table 14",
        unit=f"In points, from {report.inputs} votes of {loaded.round}. The intervals are over "
        "reviewers and clips.",
        lead="bradley_terry",
        table=table,
        notes=(*([reason] if reason else []), *table.notes),
    )
