"""The page Comparisons: opening a round, its progress, and earlier rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from annotate.archive.queries import archived_keys
from annotate.jobs.queries import latest_job
from annotate.models import Membership
from review.captions.exchange import KINDS
from review.captions.models import CaptionSet
from review.comparisons.models import Round, System, SystemPair
from review.display.matrix import Matrix, draw_matrix
from review.reports.instructions import theme_notice
from review.rounds.archiving import ArchiveRound
from review.rounds.forms import RoundForm
from review.rounds.preview import Preview
from review.rounds.progress import (
    Castable,
    captions_naming,
    listed_rounds,
    pairs_of,
    votes_by_reviewer,
)
from review.rounds.queries import instructions_of_round
from review.rounds.services import OPEN_ROUND

LISTED = 50
# From no vote to all that are wanted.
EMPTY, FULL = 3, 6


@dataclass(frozen=True)
class PairVotes:
    """`asked`: requested votes on the pair, limited to what the members who may vote can cast."""

    first: str
    second: str
    clips: int
    votes: int
    asked: int

    @property
    def left(self) -> int:
        return max(self.asked - self.votes, 0)


def rounds_context(
    membership: Membership, form: RoundForm | None = None, preview: Preview | None = None
) -> dict[str, Any]:
    project = membership.project
    archived = archived_keys(project, ArchiveRound.name)
    rounds = list(listed_rounds(project).exclude(pk__in=archived))
    running = next((round for round in rounds if round.ended_at is None), None)
    context: dict[str, Any] = {
        "membership": membership,
        "project": project,
        "running": running,
        "earlier": [round for round in rounds if round != running],
    }
    if running is not None:
        running.project = project
        return context | _progress(running)
    sets = CaptionSet.objects.filter(project=project, is_used=True)
    return context | {
        "can_open": sets.count() > 1,
        "opening": latest_job(project.pk, OPEN_ROUND),
        "form": form or RoundForm(project),
        "preview": preview,
    }


def round_context(membership: Membership, round: Round) -> dict[str, Any]:
    listed_round = listed_rounds(membership.project).get(pk=round.pk)
    listed_round.project = membership.project
    context = {"membership": membership, "project": membership.project}
    return context | _progress(listed_round)


def _progress(round: Round) -> dict[str, Any]:
    systems = list(System.objects.filter(round=round).order_by("pk"))
    models = instructions_of_round(round)
    reviewers = votes_by_reviewer(round)
    voters = sum(reviewer.is_member for reviewer in reviewers)
    rows = list(pairs_of(round))
    castable = Castable(round, voters)
    pairs = [_pair(row, castable) for row in rows]
    place = {one.pk: number for number, one in enumerate(systems)}
    planned, votes = castable.votes_planned(rows), sum(pair.votes for pair in pairs)
    naming = captions_naming(round)
    left = 0
    if not round.ended_at:
        left = max(planned - votes, 0) if round.is_drawn else sum(pair.left for pair in pairs)
    return {
        "round": round,
        "kind_name": KINDS.get(round.kind, round.kind),
        "systems": systems,
        "asked_models": list(models.values()),
        "asked_notice": theme_notice(models.values()),
        "pairs": sorted(pairs, key=lambda pair: (pair.votes, pair.first, pair.second)),
        "matrix": draw_votes(
            [system.name for system in systems],
            {(place[row.first_id], place[row.second_id]): row.decided for row in rows},
            round.votes_per_pair,
        ),
        "reviewers": reviewers,
        "voters": voters,
        "asked": planned,
        "left": left,
        # Repeats are added, in the round's share of the remaining votes.
        "repeats_left": left * round.repeat_percent // 100,
        "votes": votes,
        "naming": naming[:LISTED],
        "naming_count": naming.count(),
    }


def _pair(row: SystemPair, castable: Castable) -> PairVotes:
    planned = castable.votes_asked(row)
    return PairVotes(row.first.name, row.second.name, row.clips, row.decided, planned)


def draw_votes(names: Sequence[str], votes: Mapping[tuple[int, int], int], wanted: int) -> Matrix:
    """`votes`: of the models at two places of `names`, in either order; `wanted` of each pair."""
    turned = {(column, row): count for (row, column), count in votes.items()}
    return draw_matrix(names, {**votes, **turned}, partial(_shade, wanted))


def _shade(wanted: int, votes: int) -> int:
    """Only no vote is EMPTY, and only all votes are FULL."""
    if not votes:
        return EMPTY
    return FULL if votes >= wanted else EMPTY + 1 + (2 * votes >= wanted)
