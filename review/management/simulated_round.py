"""Load the demo's simulated round: six models, their captions, and 20,000 votes.

`fixtures.simulated_round` makes up all of them, and their names say so. The captions describe the
clips of the simulated study. The reviewers are labels: nobody voted, and they can't sign in.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotate.models import Caption, Clip, Project, User
from annotate.text.words import count_words
from fixtures.simulated_round import VOTES, SimulatedVote, cast_votes, write_captions
from inference.queries import AT_ONCE
from review.captions.models import CaptionSet
from review.captions.services import add_set
from review.comparisons.models import (
    CaptionPair,
    Round,
    System,
    SystemCaption,
    SystemPair,
    Vote,
)
from review.comparisons.services import POINTS
from review.reports.models import Report
from review.reports.services import recompute, recompute_later
from review.rounds.services import end_round, open_round

VOTE_INTERVAL = timedelta(seconds=40)


@transaction.atomic
def load_simulated_round(*, project: Project, admin: User, votes: int = VOTES) -> None:
    """Make up an ended round over the clips of the simulated study, unless there is a round.

    It has ended because people who try the demo should vote on captions that a model wrote.
    """
    if project.rounds.exists():
        return
    clips = _clips(project)
    sets = _write_sets(project, clips, admin)
    round = open_round(
        project=project,
        admin=admin,
        sets=sets,
        votes_per_pair=votes,
        shared_percent=50,
        names_shown=Round.NamesShown.AFTER_ROUND,
    )
    _store_votes(round, clips, cast_votes(len(clips), votes))
    end_round(round=round, admin=admin)
    recompute(project=project, name=Report.Name.LEADERBOARD)
    for name in (Report.Name.OVERLAP, Report.Name.CORRELATION, Report.Name.AGREEMENT):
        recompute_later(project.pk, name)


def _clips(project: Project) -> list[Clip]:
    """Return the study's clips by their frames, without the clip of the whole video."""
    clips = Clip.objects.filter(project=project).exclude(
        start_frame=0, end_frame=F("video__frames")
    )
    return list(clips.order_by("start_frame", "end_frame"))


def _write_sets(project: Project, clips: Sequence[Clip], admin: User) -> list[CaptionSet]:
    written = write_captions([(clip.start_frame, clip.end_frame) for clip in clips])
    sets = []
    for model, texts in written.items():
        captions = Caption.objects.bulk_create(
            [
                Caption(
                    project=project,
                    clip=clip,
                    kind=Caption.Kind.PREDICTION,
                    source=Caption.Source.IMPORTED,
                    text=text,
                    word_count=count_words(text),
                    provenance=[{"model": model}],
                )
                for clip, text in zip(clips, texts, strict=True)
            ],
            batch_size=AT_ONCE,
        )
        by_clip = {caption.clip_id: caption.pk for caption in captions}
        sets.append(
            add_set(project=project, name=model, kind="general", captions=by_clip, admin=admin)
        )
    return sets


def _store_votes(round: Round, clips: Sequence[Clip], votes: Sequence[SimulatedVote]) -> None:
    """Store the votes in the order in which they are cast, the last one now."""
    started = timezone.now() - VOTE_INTERVAL * len(votes)
    Round.objects.filter(pk=round.pk).update(created_at=started)
    caption_pairs = _store_caption_pairs(round, clips, votes, started)
    times = [started + VOTE_INTERVAL * place for place in range(len(votes))]
    cast = Vote.objects.bulk_create(
        [
            Vote(
                caption_pair=caption_pair,
                outcome=vote.outcome,
                reasons=[Vote.Reason.NAMES_MODEL] if vote.tells_name else [],
                created_at=time,
            )
            for caption_pair, vote, time in zip(caption_pairs, votes, times, strict=True)
        ],
        batch_size=AT_ONCE,
    )
    Vote.objects.bulk_create(
        [
            Vote(
                caption_pair=before.caption_pair,
                outcome=vote.changed_to,
                reasons=before.reasons,
                corrects=before,
                created_at=before.created_at + VOTE_INTERVAL / 2,
            )
            for before, vote in zip(cast, votes, strict=True)
            if vote.changed_to
        ],
        batch_size=AT_ONCE,
    )


def _store_caption_pairs(
    round: Round, clips: Sequence[Clip], votes: Sequence[SimulatedVote], since: datetime
) -> list[CaptionPair]:
    """Store first votes before the votes that repeat them."""
    systems = {system.name: system for system in System.objects.filter(round=round)}
    captions = {
        (caption.system_id, caption.clip_id): caption
        for caption in SystemCaption.objects.filter(system__round=round)
    }
    pairs = {(pair.first_id, pair.second_id): pair for pair in round.pairs.all()}
    caption_pairs = []
    for place, vote in enumerate(votes):
        left, right = systems[vote.left], systems[vote.right]
        clip = clips[vote.clip]
        pair = pairs[min(left.pk, right.pk), max(left.pk, right.pk)]
        caption_pairs.append(
            CaptionPair(
                round=round,
                pair=pair,
                clip=clip,
                left=captions[left.pk, clip.pk],
                right=captions[right.pk, clip.pk],
                label=vote.reviewer,
                created_at=since + VOTE_INTERVAL * place,
            )
        )
        if vote.repeats is None:
            _count(pair, left.pk == pair.first_id, vote.changed_to or vote.outcome)
    originals = [
        caption_pair
        for caption_pair, vote in zip(caption_pairs, votes, strict=True)
        if vote.repeats is None
    ]
    CaptionPair.objects.bulk_create(originals, batch_size=AT_ONCE)
    for caption_pair, vote in zip(caption_pairs, votes, strict=True):
        if vote.repeats is not None:
            caption_pair.repeat_of = caption_pairs[vote.repeats]
    repeats = [caption_pair for caption_pair in caption_pairs if caption_pair.repeat_of is not None]
    CaptionPair.objects.bulk_create(repeats, batch_size=AT_ONCE)
    SystemPair.objects.bulk_update(
        pairs.values(), ["given", "first_left", "decided", "first_points"]
    )
    return caption_pairs


def _count(pair: SystemPair, first_is_left: bool, outcome: str) -> None:
    """Count a vote as review.comparisons.pairing and voting do."""
    pair.given += 1
    pair.first_left += first_is_left
    pair.decided += 1
    pair.first_points += POINTS[outcome] if first_is_left else 1 - POINTS[outcome]
