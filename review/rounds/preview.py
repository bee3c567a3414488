"""A preview of a round: the votes it would need."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from annotate.models import Clip, Project, WorkItem
from annotate.queue.queries import members_for
from review.captions.instructions import instructions_of
from review.captions.models import CaptionSet
from review.comparisons.models import Round
from review.reports.instructions import Instructions, theme_notice
from review.rounds.entries import Entries, comparable_clips, drawn_clips, entries_of
from review.rounds.services import check_asked

EXAMPLES = 5


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
    """`votes` doesn't include the `repeats`. `models_asked`: each model’s prompt. `is_drawn`:
    whether pairs are drawn, so that nobody knows the votes of each.
    """

    clips: int
    pairs: list[PairPlan]
    asked: int
    votes: int
    repeats: int
    reviewers: int
    flagged: list[Flagged]
    models_asked: list[Instructions]
    is_drawn: bool

    @property
    def asked_notice(self) -> str:
        return theme_notice(self.models_asked)

    @property
    def per_reviewer(self) -> int | None:
        """Votes per reviewer, if evenly shared; None without reviewers."""
        return math.ceil((self.votes + self.repeats) / self.reviewers) if self.reviewers else None

    @property
    def short(self) -> int:
        """Requested votes that nobody can cast."""
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
    next_pair: str = Round.NextPair.EVEN,
) -> Preview:
    """Raises ReviewError as `open_round` does; stores nothing."""
    check_asked(project, sets, votes_per_pair, repeat_percent, shared_percent, seed)
    entries = entries_of(sets)
    drawn = drawn_clips(entries, clips, seed)
    reviewers = members_for(project, WorkItem.Kind.COMPARE).count()
    pairs = []
    for first, second in combinations(sets, 2):
        comparable = comparable_clips(entries[first.pk], entries[second.pk])
        both = len(comparable.intersection(drawn))
        votes = min(votes_per_pair, both * reviewers)
        pairs.append(PairPlan(first.name, second.name, both, votes))
    is_drawn = next_pair == Round.NextPair.UNCERTAIN
    votes = sum(pair.votes for pair in pairs)
    if is_drawn:
        castable = sum(pair.clips for pair in pairs) * reviewers
        votes = min(votes_per_pair * len(pairs), castable)
    return Preview(
        clips=len(drawn),
        pairs=pairs,
        asked=votes_per_pair * len(pairs),
        votes=votes,
        repeats=votes * repeat_percent // 100,
        reviewers=reviewers,
        models_asked=[instructions_of(caption_set) for caption_set in sets],
        is_drawn=is_drawn,
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
