"""The Leaderboard page: the ratings of a round's models from its votes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from annotate.models import Membership
from metrics.pairwise.replay import Elo
from metrics.pairwise.strength import MEAN, BradleyTerry
from review.comparisons.blindness import may_read_votes
from review.comparisons.cast import VOTE_BATCH_SIZE, WHY
from review.comparisons.models import Round, System
from review.comparisons.queries import stored_votes
from review.display.scale import Mark, draw_axis, draw_mark
from review.leaderboard import NAME
from review.leaderboard.computing import (
    PREFIX,
    CategoryRatings,
    EloPoint,
    LeaderboardResult,
    Neighbors,
    Pair,
)
from review.leaderboard.least_certain import MEASURE, least_certain
from review.leaderboard.path_chart import MAX_LINES, draw_path
from review.leaderboard.results import leaderboard_parameters, leaderboard_result
from review.leaderboard.win_chart import Duel, draw_wins, duels_of
from review.reports.instructions import Instructions, theme_notice
from review.reports.models import Report
from review.reports.small_samples import shown_ratings
from review.rounds.queries import instructions_of_round, newest_of_rounds, rounds_of, systems_of
from review.rounds.services import TABLE_13
from review.studies.card import card_of

# More votes than a round will ever collect.
MAX_FURTHER = 1_000_000
WHY_NAMES = {
    "excluded": "Video left out",
    "changed": "Changed by its reviewer",
    "names_model": "Names its model",
    "repeat": "Repeat",
    "both_bad": "Both are bad",
}


@dataclass(frozen=True)
class Strength:
    """A model by Bradley-Terry. `rank` is None if models can't be compared. `further` is the number
    of further votes that would separate it from the next one: 0 if they are separated, None if
    unknown. `low` and `high` are None without an interval.
    """

    name: str
    asked: Instructions | None
    rank: int | None
    rating: float
    low: float | None
    high: float | None
    mark: Mark
    further: int | None
    is_last: bool

    @property
    def about(self) -> str:
        """Return `further` in words, rounded to two digits, which is precise enough."""
        assert self.further
        if self.further > MAX_FURTHER:
            return f"more than {MAX_FURTHER:,}"
        return f"about {round(self.further, 2 - len(str(self.further))):,}"


@dataclass(frozen=True)
class EloScore:
    """A model by Elo: in the order of the votes, and over replays in other orders."""

    name: str
    asked: Instructions | None
    rating: float
    mean: float
    sd: float
    mark: Mark


@dataclass(frozen=True)
class PairRow:
    first: str
    second: str
    duel: Duel
    both_bad: int
    first_left: int


@dataclass(frozen=True)
class Category:
    """`cells`: the rating, low and high of each model in the order of the page, or None."""

    name: str
    votes: int
    clips: int
    cells: list[tuple[float, float | None, float | None] | None]
    reason: str
    is_split: bool


def leaderboard_context(
    membership: Membership, round: Round | None, query: QueryDict
) -> dict[str, Any]:
    """Return the page's context without its state. `round`: the requested round; None shows the
    newest with counted votes, or else the newest.
    """
    project = membership.project
    rounds = list(rounds_of(project))
    reports = newest_of_rounds(project, NAME)
    if round is None:
        counted = [round for round in rounds if str(round.pk) in reports]
        round = next(iter(counted or rounds), None)
    context = {"membership": membership, "project": project, "rounds": rounds, "round": round}
    if round is not None:
        context |= _round_context(round, reports.get(str(round.pk)), query)
        context["may_read_votes"] = may_read_votes(membership, round)
    return context


def named(sentences: str, names: Mapping[str, str]) -> str:
    """Return a report's sentences with names instead of systems' keys."""
    return re.sub(rf"{PREFIX}(\d+)", lambda match: names.get(match[1], match[0]), sentences)


def by_rating(ratings: Mapping[str, float], names: Mapping[str, str]) -> list[str]:
    """Return the models by descending rating, ties by name, because stored JSON keeps no order."""
    return sorted(ratings, key=lambda model: (-ratings[model], names[model]))


def _round_context(round: Round, report: Report | None, query: QueryDict) -> dict[str, Any]:
    systems = systems_of(round)
    stored = stored_votes(round)
    result = leaderboard_result(report) if report else None
    instructions = instructions_of_round(round)
    context: dict[str, Any] = {
        "report": report,
        "stored": stored,
        "waiting": stored.count - (result.stored.count if result else 0),
        "votes_at_once": VOTE_BATCH_SIZE,
        "systems": list(systems.values()),
        "elo_settings": {**TABLE_13, **round.elo},
        "asked_models": list(instructions.values()),
        "asked_notice": theme_notice(instructions.values()),
    }
    if report is not None and result is not None:
        numbers = _numbers(report, result, systems, instructions)
        context |= numbers
        if "strengths" in numbers:
            interval = least_certain(numbers["fitted"], report.inputs, numbers["reason"], round)
            context["card"] = card_of(round.project, MEASURE, [interval], query)
    return context


def _numbers(
    report: Report,
    result: LeaderboardResult,
    systems: Mapping[str, System],
    instructions: Mapping[str, Instructions],
) -> dict[str, Any]:
    names = {key: system.name for key, system in systems.items()}
    stored, order = result.bradley_terry, by_rating(result.bradley_terry.ratings, names)
    parameters = leaderboard_parameters(report)
    fitted = shown_ratings(stored, parameters.clips)
    cast = result.stored.count
    context: dict[str, Any] = {
        "parameters": parameters,
        "cast": cast,
        "counted": report.inputs,
        "filtered": [(WHY_NAMES[why], WHY[why], len(result.filtered.get(why, ()))) for why in WHY],
        "n_filtered": cast - report.inputs,
        "reason": named(fitted.reason, names),
        "is_connected": stored.ranks is not None,
        "without_votes": [name for key, name in names.items() if key not in fitted.ratings],
        "fitted": fitted,
        "elo": result.elo,
    }
    if order:
        categories = _categories(result.categories, names, order)
        context |= _strengths(fitted, result.neighbours, names, order, instructions)
        context |= _elo_scores(result.elo, names, instructions)
        context |= {
            "wins": draw_wins(order, names, duels_of(result.pairs)),
            "pairs": _pairs(result.pairs, names),
            "most_votes": max(pair.votes for pair in result.pairs),
            "categories": categories,
            "category_reasons": [category for category in categories if category.reason],
            "models": [names[model] for model in order],
            "elo_chart": draw_path(result.elo_path, names, order),
            "strength_chart": draw_path(result.bradley_terry_path, names, order),
            "path": _path(result.elo_path, result.bradley_terry_path, order),
            "undrawn": max(0, len(order) - MAX_LINES),
        }
    return context


def _strengths(
    fitted: BradleyTerry,
    neighbors: Sequence[Neighbors],
    names: Mapping[str, str],
    order: Sequence[str],
    instructions: Mapping[str, Instructions],
) -> dict[str, Any]:
    ranks = fitted.ranks
    low: Mapping[str, float | None] = fitted.low  # None for both if there are few clips
    high: Mapping[str, float | None] = fitted.high
    ends = {
        model: [end for end in (low[model], high[model]) if end is not None] or [rating]
        for model, rating in fitted.ratings.items()
    }
    axis = draw_axis([MEAN, *(end for both in ends.values() for end in both)])
    # Intervals decide whether two models are separated, and ranks show it.
    further = {
        frozenset((neighbor.above, neighbor.below)): neighbor.votes
        for neighbor in neighbors
        if ranks
    }
    rows = [
        Strength(
            name=names[model],
            asked=instructions.get(model),
            rank=ranks[model] if ranks else None,
            rating=fitted.ratings[model],
            low=low[model],
            high=high[model],
            mark=draw_mark(axis, fitted.ratings[model], ends[model][0], ends[model][-1]),
            further=further.get(frozenset(order[place : place + 2])),
            is_last=place == len(order) - 1,
        )
        for place, model in enumerate(order)
    ]
    return {"strengths": rows, "strength_axis": axis}


def _elo_scores(
    elo: Elo, names: Mapping[str, str], instructions: Mapping[str, Instructions]
) -> dict[str, Any]:
    ratings, mean, sd = elo.ratings, elo.mean, elo.sd
    ends = [edge for model in mean for edge in (mean[model] - sd[model], mean[model] + sd[model])]
    axis = draw_axis([*ratings.values(), *ends])
    rows = [
        EloScore(
            name=names[model],
            asked=instructions.get(model),
            rating=ratings[model],
            mean=mean[model],
            sd=sd[model],
            mark=draw_mark(axis, ratings[model], mean[model] - sd[model], mean[model] + sd[model]),
        )
        for model in by_rating(ratings, names)
    ]
    return {"elo_scores": rows, "elo_axis": axis}


def _pairs(pairs: Sequence[Pair], names: Mapping[str, str]) -> list[PairRow]:
    """Return the pairs with the fewest votes first, since these need more."""
    rows = [
        PairRow(
            names[pair.first],
            names[pair.second],
            Duel(pair.first_won, pair.second_won, pair.ties),
            pair.both_bad,
            pair.first_left,
        )
        for pair in pairs
    ]
    return sorted(rows, key=lambda row: (row.duel.votes, row.first, row.second))


def _categories(
    parts: Sequence[CategoryRatings], names: Mapping[str, str], order: Sequence[str]
) -> list[Category]:
    return [
        Category(
            name=part.category,
            votes=part.votes,
            clips=part.clips,
            cells=[
                (part.ratings[model], fitted.low[model], fitted.high[model])
                if model in part.ratings
                else None
                for model in order
            ],
            reason=named(fitted.reason, names),
            is_split=part.ranks is None,
        )
        for part in parts
        for fitted in [shown_ratings(part, part.clips)]
    ]


def _path(
    elo: Sequence[EloPoint], fitted: Sequence[EloPoint], order: Sequence[str]
) -> list[tuple[str, list[tuple[int, list[float | None]]]]]:
    """Return both ratings by number of votes, models in the order of the page."""
    return [
        (label, [(p.votes, [p.ratings.get(model) for model in order]) for p in path])
        for label, path in (("Elo", elo), ("Bradley–Terry", fitted))
    ]
