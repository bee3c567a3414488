"""Export a round's ratings and votes as files, with signatures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from annotate.models import Membership
from metrics.pairwise.strength import BradleyTerry
from review.comparisons.cast import WAITING
from review.comparisons.models import Round, Vote
from review.comparisons.queries import cast_in, every_vote, votes_to_count
from review.leaderboard.computing import LeaderboardResult, StrengthPoint
from review.leaderboard.pages import by_rating, named
from review.leaderboard.results import leaderboard_parameters, leaderboard_result
from review.reports.files import FileTable
from review.reports.instructions import Instructions, theme_notice
from review.reports.models import Report
from review.reports.questions import rater_key
from review.reports.results import as_json
from review.reports.small_samples import is_few, shown_ratings
from review.rounds.queries import instructions_of_round, systems_of

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
    "caption_pair",
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


def ratings_table(round: Round, report: Report) -> FileTable:
    """Return one row per model, the best by Bradley-Terry first. `votes` are its counted votes.
    JSON has the stored report with names, and the number of votes that don't count."""
    names, instructions = _names(round), instructions_of_round(round)
    result = leaderboard_result(report)
    elo, fitted = result.elo, _fitted(result, report)
    return FileTable(
        RATING_COLUMNS,
        (
            [
                names[model],
                *_asked_cells(instructions.get(model)),
                fitted.ranks[model] if fitted.ranks else None,
                *(part[model] for part in (fitted.ratings, fitted.low, fitted.high)),
                *(part[model] for part in (elo.ratings, elo.mean, elo.sd)),
                sum(pair.votes for pair in result.pairs if model in (pair.first, pair.second)),
                round.number,
                report.created_at,
                report.signature,
            ]
            for model in by_rating(fitted.ratings, names)
        ),
        partial(_content, round, report, names, instructions),
        sort_keys=True,
    )


def _content(
    round: Round,
    report: Report,
    names: Mapping[str, str],
    instructions: Mapping[str, Instructions],
) -> dict[str, Any]:
    result = leaderboard_result(report)
    fitted = _fitted(result, report)
    as_shown = as_json(
        replace(
            result,
            bradley_terry=replace(fitted, reason=named(fitted.reason, names)),
            categories=[
                replace(part, reason=named(part.reason, names))
                for part in (shown_ratings(part, part.clips) for part in result.categories)
            ],
            neighbours=[
                neighbour if fitted.ranks else replace(neighbour, votes=None)
                for neighbour in result.neighbours
            ],
            bradley_terry_path=[_moment(report, point) for point in result.bradley_terry_path],
        )
    )
    return {
        **{part: numbers for part, numbers in as_shown.items() if part != "stored"},
        "round": round.number,
        "simulated": round.project.is_simulated,
        "models": names,
        "asked": {key: instruction.as_dict for key, instruction in instructions.items()},
        "notice": theme_notice(instructions.values()),
        "parameters": report.parameters,
        "votes": result.stored.count,
        "counted": report.inputs,
        "filtered": {why: len(keys) for why, keys in result.filtered.items()},
        "computed_at": report.created_at.isoformat(),
        "signature": report.signature,
    }


def _fitted(result: LeaderboardResult, report: Report) -> BradleyTerry:
    return shown_ratings(result.bradley_terry, leaderboard_parameters(report).clips)


def _moment(report: Report, point: StrengthPoint) -> StrengthPoint:
    """Return the ratings after so many votes, without intervals if these are on too few clips."""
    if not is_few(point.clips):
        return point
    none = dict.fromkeys(point.ratings)
    return replace(point, low=none, high=none)


def _asked_cells(asked: Instructions | None) -> tuple[str, str, str]:
    if asked is None:
        return "", "", ""
    return asked.prompt_in_words, asked.frames_in_words, asked.theme_in_words


def votes_table(round: Round, reader: Membership) -> FileTable:
    """Return one row per vote, including changed ones."""
    return FileTable(
        VOTE_COLUMNS,
        ([row[name] for name in VOTE_COLUMNS] for row in vote_rows(round, reader)),
        partial(vote_rows, round, reader),
        is_long=True,
    )


def vote_rows(round: Round, reader: Membership) -> Iterator[dict[str, Any]]:
    """Return rows by the votes' keys. `place` counts from 1 in the order of rating. Reviewers are
    numbered in the order of their first votes; only admins see names.
    """
    to_count = set(votes_to_count(round.project).values_list("pk", flat=True))
    cast = cast_in(round, Vote.objects.all())
    place = {vote.key: number for number, vote in enumerate(cast, 1)}
    why = {vote.key: vote.why or ("" if vote.key in to_count else WAITING) for vote in cast}
    raters: dict[str, int] = {}
    for vote in cast:
        raters.setdefault(vote.rater, len(raters) + 1)
    names = _names(round)
    for stored in every_vote(round):
        # A vote that was cast after the others were read.
        if stored.pk not in place:
            continue
        caption_pair = stored.caption_pair
        yield {
            "vote": stored.pk,
            "caption_pair": caption_pair.pk,
            "place": place[stored.pk],
            "clip": caption_pair.clip.name,
            "category": caption_pair.clip.video.category,
            "left": names[str(caption_pair.left.system_id)],
            "right": names[str(caption_pair.right.system_id)],
            "outcome": stored.outcome,
            "reasons": stored.reasons,
            "reviewer": _reviewer(stored, raters, reader),
            "repeat_of": caption_pair.repeat_of_id,
            "corrects": stored.corrects_id,
            "counted": not why[stored.pk],
            "why_not": why[stored.pk],
            "cast_at": stored.created_at.isoformat(),
        }


def _reviewer(vote: Vote, raters: dict[str, int], reader: Membership) -> int | str:
    caption_pair = vote.caption_pair
    if reader.is_admin:
        return str(caption_pair.reviewer) if caption_pair.reviewer else caption_pair.label
    return raters[rater_key(caption_pair.reviewer_id, caption_pair.label)]


def _names(round: Round) -> dict[str, str]:
    return {key: system.name for key, system in systems_of(round).items()}
