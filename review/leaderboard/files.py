"""A round's ratings and votes as files, each with how it was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotate.models import Membership
from review.comparisons.counting import WAITING, cast_in
from review.comparisons.instructions import instructions_of_round
from review.comparisons.models import Comparison, ComparisonRound
from review.comparisons.queries import entrants_of, every_vote, votes_to_count
from review.display.tables import csv_lines, csv_text, json_lines, json_text
from review.leaderboard.pages import by_rating, named
from review.reports.instructions import Instructions, theme_notice
from review.reports.models import Report
from review.reports.questions import rater_key
from review.reports.small_samples import shown_ratings

RATING_COLUMNS = (
    "model",
    "prompt",
    "frames",
    "theme",
    "rank",
    "bradley_terry",
    "bradley_terry_low",
    "bradley_terry_high",
    "elo",
    "elo_mean",
    "elo_sd",
    "votes",
    "round",
    "computed_at",
    "signature",
)
VOTE_COLUMNS = (
    "vote",
    "matchup",
    "place",
    "clip",
    "category",
    "left",
    "right",
    "outcome",
    "reasons",
    "reviewer",
    "repeat_of",
    "corrects",
    "counted",
    "why_not",
    "cast_at",
)


def ratings_csv(round: ComparisonRound, report: Report) -> str:
    """One row a model, the best by Bradley-Terry first. `votes` are those counted about it."""
    names, asked = _names(round), instructions_of_round(round)
    elo, fitted = report.result["elo"], _fitted(report)
    return csv_text(
        RATING_COLUMNS,
        (
            [
                names[model],
                *_asked_cells(asked.get(model)),
                fitted["ranks"][model] if fitted["ranks"] else None,
                *(fitted[part][model] for part in ("ratings", "low", "high")),
                *(elo[part][model] for part in ("ratings", "mean", "sd")),
                _votes_about(model, report),
                round.number,
                report.created_at,
                report.signature,
            ]
            for model in by_rating(fitted["ratings"], names)
        ),
    )


def _votes_about(model: str, report: Report) -> int:
    pairs = report.result["pairs"]
    return sum(pair["votes"] for pair in pairs if model in (pair["first"], pair["second"]))


def ratings_json(round: ComparisonRound, report: Report) -> str:
    """The report as it is stored, with names; of the votes that don't count, how many."""
    result, names, asked = report.result, _names(round), instructions_of_round(round)
    fitted = _fitted(report)
    told = {
        "round": round.number,
        "simulated": round.project.is_simulated,
        "models": names,
        "asked": {key: one.as_dict for key, one in asked.items()},
        "notice": theme_notice(asked.values()),
        "parameters": report.parameters,
        "votes": result["stored"]["count"],
        "counted": report.inputs,
        "filtered": {why: len(keys) for why, keys in result["filtered"].items()},
        **{part: result[part] for part in result.keys() - {"stored", "filtered"}},
        "bradley_terry": {
            **fitted,
            "reason": named(fitted["reason"], names),
        },
        "categories": [
            {**part, "reason": named(part["reason"], names)}
            for part in (shown_ratings(part, part["clips"]) for part in result["categories"])
        ],
        "neighbours": [
            one if fitted["ranks"] else {**one, "votes": None} for one in result["neighbours"]
        ],
        "bradley_terry_path": [_moment(report, point) for point in result["bradley_terry_path"]],
        "computed_at": report.created_at.isoformat(),
        "signature": report.signature,
    }
    return json_text(told, sort_keys=True)


def _fitted(report: Report) -> Mapping[str, Any]:
    return shown_ratings(report.result["bradley_terry"], report.parameters.get("clips"))


def _moment(report: Report, point: Mapping[str, Any]) -> Mapping[str, Any]:
    """Ratings after so many votes, which are on no more clips than all of them."""
    shown = shown_ratings({**point, "ranks": None, "reason": ""}, report.parameters.get("clips"))
    return {**point, "low": shown["low"], "high": shown["high"]}


def _asked_cells(asked: Instructions | None) -> tuple[str, str, str]:
    if asked is None:
        return "", "", ""
    return asked.prompt_in_words, asked.frames_in_words, asked.theme_in_words


def votes_csv(round: ComparisonRound, reader: Membership) -> Iterator[str]:
    """One row a vote, changed ones too."""
    rows = vote_rows(round, reader)
    return csv_lines(VOTE_COLUMNS, ([row[name] for name in VOTE_COLUMNS] for row in rows))


def votes_json(round: ComparisonRound, reader: Membership) -> Iterator[str]:
    return json_lines(vote_rows(round, reader))


def vote_rows(round: ComparisonRound, reader: Membership) -> Iterator[dict[str, Any]]:
    """By their keys. `place` counts, from 1, in the order in which votes are rated. Reviewers are
    numbers in the order of their first votes, and names only for admins."""
    to_count = set(votes_to_count(round.project).values_list("pk", flat=True))
    cast = cast_in(round, Comparison.objects.all())
    place = {vote.key: number for number, vote in enumerate(cast, 1)}
    why = {vote.key: vote.why or ("" if vote.key in to_count else WAITING) for vote in cast}
    raters: dict[str, int] = {}
    for vote in cast:
        raters.setdefault(vote.rater, len(raters) + 1)
    names = _names(round)
    for stored in every_vote(round):
        # One that was cast after the others were read.
        if stored.pk not in place:
            continue
        matchup = stored.matchup
        yield {
            "vote": stored.pk,
            "matchup": matchup.pk,
            "place": place[stored.pk],
            "clip": matchup.clip.name,
            "category": matchup.clip.video.category,
            "left": names[str(matchup.left.entrant_id)],
            "right": names[str(matchup.right.entrant_id)],
            "outcome": stored.outcome,
            "reasons": stored.reasons,
            "reviewer": _reviewer(stored, raters, reader),
            "repeat_of": matchup.repeat_of_id,
            "corrects": stored.corrects_id,
            "counted": not why[stored.pk],
            "why_not": why[stored.pk],
            "cast_at": stored.created_at.isoformat(),
        }


def _reviewer(vote: Comparison, raters: dict[str, int], reader: Membership) -> int | str:
    matchup = vote.matchup
    if reader.is_admin:
        return str(matchup.reviewer) if matchup.reviewer else matchup.label
    return raters[rater_key(matchup.reviewer_id, matchup.label)]


def _names(round: ComparisonRound) -> dict[str, str]:
    return {key: entrant.name for key, entrant in entrants_of(round).items()}
