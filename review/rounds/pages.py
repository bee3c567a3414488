"""The page Comparisons: opening a round with a preview of its votes, its progress, and earlier
rounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from annotate.archive.queries import archived_keys
from annotate.jobs.queries import latest_job
from annotate.models import Clip, Membership, Project
from annotate.queue.queries import members_for
from review.captions.exchange import KINDS
from review.captions.instructions import instructions_of
from review.captions.models import CaptionSet
from review.comparisons.models import Round, System, SystemPair
from review.display.matrix import Matrix, draw_matrix
from review.reports.instructions import Instructions, theme_notice
from review.rounds.archiving import ArchiveRound
from review.rounds.entries import Entries, comparable_clips, drawn_clips, entries_of
from review.rounds.forms import RoundForm
from review.rounds.queries import (
    Castable,
    captions_naming,
    instructions_of_round,
    listed_rounds,
    pairs_of,
    votes_by_reviewer,
)
from review.rounds.services import OPEN_ROUND, check_asked

EXAMPLES = 5
LISTED = 50
# Shades from no vote to all requested votes.
EMPTY, FULL = 3, 6


@dataclass(frozen=True)
class PairVotes:
    """`asked`: requested votes on the pair, limited to what the voters can cast."""

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
    place = {system.pk: number for number, system in enumerate(systems)}
    planned, votes = castable.votes_planned(rows), sum(pair.votes for pair in pairs)
    naming = captions_naming(round)
    left = 0 if round.ended_at else sum(pair.left for pair in pairs)
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
        # Repeats are added, in proportion to the remaining votes.
        "repeats_left": left * round.repeat_percent // 100,
        "votes": votes,
        "naming": naming[:LISTED],
        "naming_count": naming.count(),
    }


def _pair(row: SystemPair, castable: Castable) -> PairVotes:
    planned = castable.votes_asked(row)
    return PairVotes(row.first.name, row.second.name, row.clips, row.decided, planned)


def draw_votes(
    names: Sequence[str], votes: Mapping[tuple[int, int], int], votes_per_pair: int
) -> Matrix:
    """Draw the votes. `votes`: (two indices of `names`, in either order) -> votes; a full pair has
    `votes_per_pair`."""
    turned = {(column, row): count for (row, column), count in votes.items()}
    return draw_matrix(names, {**votes, **turned}, partial(_shade, votes_per_pair))


def _shade(votes_per_pair: int, votes: int) -> int:
    """Return the shade. Only no vote is EMPTY, and only all votes are FULL."""
    if not votes:
        return EMPTY
    return FULL if votes >= votes_per_pair else EMPTY + 1 + (2 * votes >= votes_per_pair)


@dataclass(frozen=True)
class PairPlan:
    """`votes`: the requested votes that the current reviewers can cast, one per pair of models and
    clip each.
    """

    first: str
    second: str
    clips: int
    votes: int


@dataclass(frozen=True)
class Flagged:
    """The number of a model's captions that name it, with examples: (clip, words)."""

    name: str
    count: int
    of: int
    examples: list[tuple[str, str]]


@dataclass(frozen=True)
class Preview:
    """`votes` doesn't include the `repeats`. `models_asked`: each model’s prompt."""

    clips: int
    pairs: list[PairPlan]
    asked: int
    votes: int
    repeats: int
    reviewers: int
    flagged: list[Flagged]
    models_asked: list[Instructions]

    @property
    def asked_notice(self) -> str:
        return theme_notice(self.models_asked)

    @property
    def per_reviewer(self) -> int | None:
        """Votes per reviewer, if evenly shared; None without reviewers."""
        return math.ceil((self.votes + self.repeats) / self.reviewers) if self.reviewers else None

    @property
    def short(self) -> int:
        """Return the number of requested votes that nobody can cast."""
        return self.asked - self.votes


def preview_round(
    *,
    project: Project,
    sets: Sequence[CaptionSet],
    votes_per_pair: int,
    clips: int | None,
    repeat_percent: int,
    shared_percent: int,
    seed: int,
) -> Preview:
    """Raises ReviewError as `open_round` does; stores nothing."""
    check_asked(project, sets, votes_per_pair, repeat_percent, shared_percent, seed)
    entries = entries_of(sets)
    drawn = drawn_clips(entries, clips, seed)
    reviewers = members_for(project, "compare").count()
    pairs = []
    for first, second in combinations(sets, 2):
        comparable = comparable_clips(entries[first.pk], entries[second.pk])
        both = len(comparable.intersection(drawn))
        votes = min(votes_per_pair, both * reviewers)
        pairs.append(PairPlan(first.name, second.name, both, votes))
    votes = sum(pair.votes for pair in pairs)
    return Preview(
        clips=len(drawn),
        pairs=pairs,
        asked=votes_per_pair * len(pairs),
        votes=votes,
        repeats=votes * repeat_percent // 100,
        reviewers=reviewers,
        models_asked=[instructions_of(caption_set) for caption_set in sets],
        flagged=[
            flagged
            for caption_set in sets
            if (flagged := _flagged(caption_set, entries[caption_set.pk]))
        ],
    )


def _flagged(caption_set: CaptionSet, entries: Entries) -> Flagged | None:
    """Return the captions that name their model, in all clips, including those left out because of
    them.
    """
    naming = [clip for clip, entry in entries.items() if entry.naming]
    if not naming:
        return None
    names = dict(Clip.objects.filter(pk__in=naming[:EXAMPLES]).values_list("pk", "name"))
    examples = [(names[clip], entries[clip].naming) for clip in naming[:EXAMPLES]]
    return Flagged(caption_set.name, len(naming), len(entries), examples)
