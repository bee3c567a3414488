"""Loading the demo's simulated round of comparisons: six models, their captions of the clips of
the simulated study, and 20,000 votes, all of them made up by `fixtures.simulated_round` and named
so. The reviewers are labels: nobody here has voted, nor could they sign in."""

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
    Comparison,
    ComparisonRound,
    Entrant,
    EntrantCaption,
    EntrantPair,
    Matchup,
)
from review.comparisons.rounds import end_round, open_round
from review.comparisons.services import POINTS
from review.reports.models import Report
from review.reports.services import recompute, recompute_later

BETWEEN = timedelta(seconds=90)


@transaction.atomic
def load_simulated_round(*, project: Project, admin: User, votes: int = VOTES) -> None:
    """Make up the round over the clips that the simulated study has cut, unless there is one. It
    has ended: whoever votes in the demo does so on captions that something has really written."""
    if project.comparison_rounds.exists():
        return
    clips = _clips(project)
    sets = _write_sets(project, clips, admin)
    opened = open_round(
        project=project,
        admin=admin,
        sets=sets,
        votes_per_pair=votes,
        shared_percent=50,
        names_shown=ComparisonRound.NamesShown.AFTER_ROUND,
    )
    _store_votes(opened, clips, cast_votes(len(clips), votes))
    end_round(round=opened, admin=admin)
    recompute(project=project, name=Report.Name.LEADERBOARD)
    for name in (Report.Name.OVERLAP, Report.Name.CORRELATION, Report.Name.AGREEMENT):
        recompute_later(project.pk, name)


def _clips(project: Project) -> list[Clip]:
    """Those of the study by their frames; the clip that spans the video is none of them."""
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


def _store_votes(
    opened: ComparisonRound, clips: Sequence[Clip], votes: Sequence[SimulatedVote]
) -> None:
    """In the order in which they are cast, the last of them just now."""
    started = timezone.now() - BETWEEN * len(votes)
    ComparisonRound.objects.filter(pk=opened.pk).update(created_at=started)
    matchups = _store_matchups(opened, clips, votes, started)
    times = [started + BETWEEN * place for place in range(len(votes))]
    cast = Comparison.objects.bulk_create(
        [
            Comparison(
                matchup=matchup,
                outcome=vote.outcome,
                reasons=[Comparison.Reason.NAMES_MODEL] if vote.tells_name else [],
                created_at=time,
            )
            for matchup, vote, time in zip(matchups, votes, times, strict=True)
        ],
        batch_size=AT_ONCE,
    )
    Comparison.objects.bulk_create(
        [
            Comparison(
                matchup=before.matchup,
                outcome=vote.changed_to,
                reasons=before.reasons,
                corrects=before,
                created_at=before.created_at + BETWEEN / 2,
            )
            for before, vote in zip(cast, votes, strict=True)
            if vote.changed_to
        ],
        batch_size=AT_ONCE,
    )


def _store_matchups(
    opened: ComparisonRound, clips: Sequence[Clip], votes: Sequence[SimulatedVote], since: datetime
) -> list[Matchup]:
    """The first ones before those that repeat them."""
    entrants = {entrant.name: entrant for entrant in Entrant.objects.filter(round=opened)}
    captions = {
        (caption.entrant_id, caption.clip_id): caption
        for caption in EntrantCaption.objects.filter(entrant__round=opened)
    }
    pairs = {(pair.first_id, pair.second_id): pair for pair in opened.pairs.all()}
    matchups = []
    for place, vote in enumerate(votes):
        left, right = entrants[vote.left], entrants[vote.right]
        clip = clips[vote.clip]
        pair = pairs[min(left.pk, right.pk), max(left.pk, right.pk)]
        matchups.append(
            Matchup(
                round=opened,
                pair=pair,
                clip=clip,
                left=captions[left.pk, clip.pk],
                right=captions[right.pk, clip.pk],
                label=vote.reviewer,
                created_at=since + BETWEEN * place,
            )
        )
        if vote.repeats is None:
            _count(pair, left.pk == pair.first_id, vote.changed_to or vote.outcome)
    first = [one for one, vote in zip(matchups, votes, strict=True) if vote.repeats is None]
    Matchup.objects.bulk_create(first, batch_size=AT_ONCE)
    for matchup, vote in zip(matchups, votes, strict=True):
        if vote.repeats is not None:
            matchup.repeat_of = matchups[vote.repeats]
    again = [matchup for matchup in matchups if matchup.repeat_of is not None]
    Matchup.objects.bulk_create(again, batch_size=AT_ONCE)
    EntrantPair.objects.bulk_update(
        pairs.values(), ["given", "first_left", "decided", "first_points"]
    )
    return matchups


def _count(pair: EntrantPair, first_is_left: bool, outcome: str) -> None:
    """As review.comparisons.pairing and voting do for each vote."""
    pair.given += 1
    pair.first_left += first_is_left
    pair.decided += 1
    pair.first_points += POINTS[outcome] if first_is_left else 1 - POINTS[outcome]
