"""Choose the pair of captions that a reviewer compares next.

The policy, in order:

0. Gold, if it is due and a real pair is left, about a clip that the reviewer has seen as rarely as
   that of the real pair (`gold.py`). Known pairs are never real work.
1. Of a reviewer's votes, the round's `repeat_percent` are repeats: their earliest pair that they
   have not judged twice, with the sides swapped, unless it was one of their last REPEAT_GAP or they
   have seen its names.
2. The pair of models that has been given out least often; of these, the one with the least certain
   outcome (the share of points nearest to one half, with one vote added each way).
3. The clip for which that pair has been compared least often; of these, the one that the reviewer
   has seen least often, so that they don't recognize a caption; of these, the first in the round's
   shuffled order. Of every 100 votes of a pair, `shared_percent` go to a clip for which another
   reviewer has compared it, so that reviewers can be compared, too. Never a clip for which the
   reviewer has compared the same pair or seen the names, nor one with a caption whose author
   another round has shown them.
4. The sides so that each model of the pair is on the left equally often; in a tie, at random.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from annotate.models import Membership, User, WorkItem
from annotate.programs import is_counted
from annotate.queue.services.known_work import gold_to_open
from review.comparisons.given_pairs import (
    Given,
    LeftOut,
    clips_left,
    clips_with_names,
    given_before,
    open_pairs,
    take_back_idle,
)
from review.comparisons.gold import give_gold
from review.comparisons.models import (
    CaptionPair,
    Round,
    RoundClip,
    SystemCaption,
    SystemPair,
    Vote,
)

# One to judge, and one whose video can already be loaded.
MAX_OPEN = 2
REPEAT_GAP = 5
MAX_UNTOUCHED = 20


def running_round(project_id: int) -> Round | None:
    return Round.objects.filter(project=project_id, ended_at=None).first()


def votes_ahead(membership: Membership) -> int:
    """Return how many more pairs the running round could give this person, including
    the next ones.
    """
    round = running_round(membership.project_id)
    if round is None:
        return 0
    before = given_before(round, membership.user)
    left = clips_left(round, before, LeftOut(round, membership))
    short = SystemPair.objects.filter(round=round, given__lt=round.votes_per_pair)
    return sum(
        min(round.votes_per_pair - votes, left[pair])
        for pair, votes in short.values_list("pk", "given")
    )


@transaction.atomic
def prepare_caption_pairs(membership: Membership) -> None:
    """Open the person's next pairs, if the running round needs votes."""
    running = Round.objects.filter(project=membership.project_id, ended_at=None)
    # Locked, because the choice depends on what others have been given.
    round = running.select_for_update(no_key=True).first()
    if round is None:
        return
    take_back_idle(round)
    missing = MAX_OPEN - open_pairs(membership)
    if missing <= 0:
        return
    left_out = LeftOut(round, membership)
    for _ in range(missing):
        before = given_before(round, membership.user)
        request = round, membership.user, before, left_out
        caption_pair = _gold(membership, *request) or _repeat(*request) or _next(*request)
        if caption_pair is None:
            return
        WorkItem.with_known_answers.create(
            project_id=membership.project_id,
            clip_id=caption_pair.clip_id,
            kind="compare",
            subject=caption_pair.pk,
            purpose=WorkItem.Purpose.GOLD if caption_pair.gold_of_id else WorkItem.Purpose.WORK,
            reserved_for=membership.user,
        )


class Real(NamedTuple):
    """A real pair that could come next, with the captions of its two models."""

    pair: SystemPair
    clip: int
    first: int
    second: int


def _gold(
    membership: Membership,
    round: Round,
    reviewer: User,
    before: Sequence[Given],
    left_out: LeftOut,
) -> CaptionPair | None:
    real = _real(round, reviewer, before, left_out) if left_out.has_gold else None
    if real is None:
        return None
    gold_item = gold_to_open(membership, "compare", instead_of=real.clip)
    return give_gold(round, gold_item.subject, reviewer) if gold_item else None


def _repeat(
    round: Round, reviewer: User, before: Sequence[Given], left_out: LeftOut
) -> CaptionPair | None:
    repeated = {caption_pair.repeat_of for caption_pair in before if caption_pair.repeat_of}
    first_time = [caption_pair for caption_pair in before if not caption_pair.repeat_of]
    if len(repeated) >= len(first_time) * round.repeat_percent // 100:
        return None
    votes = Vote.with_known_answers.filter(caption_pair__reviewer=reviewer).order_by()
    judged = set(votes.values_list("caption_pair", flat=True)) - repeated
    names_seen = clips_with_names(before)
    for seen in first_time[:-REPEAT_GAP]:
        # Gold is repeated like any pair; a real pair that has become known in the meantime isn't.
        is_gold = seen.gold_of and left_out.has_gold
        clips = left_out.named[seen.pair] if is_gold else left_out.clips(seen.pair)
        if seen.key in judged and seen.clip not in names_seen | clips:
            return _swapped(CaptionPair.with_known_answers.get(pk=seen.key))
    return None


def _swapped(seen: CaptionPair) -> CaptionPair:
    return CaptionPair.with_known_answers.create(
        round_id=seen.round_id,
        pair_id=seen.pair_id,
        clip_id=seen.clip_id,
        left_id=seen.right_id,
        right_id=seen.left_id,
        reviewer_id=seen.reviewer_id,
        repeat_of=seen,
        gold_of_id=seen.gold_of_id,
    )


def _next(
    round: Round, reviewer: User, before: Sequence[Given], left_out: LeftOut
) -> CaptionPair | None:
    real = _real(round, reviewer, before, left_out)
    return _give(round, real, reviewer) if real else None


def _real(round: Round, reviewer: User, before: Sequence[Given], left_out: LeftOut) -> Real | None:
    """Return the first pair by points 2 and 3 of the policy whose texts differ."""
    left = clips_left(round, before, left_out)
    for pair in _pairs_in_turn(round, left):
        for clip in _clips(pair, reviewer, left_out.clips(pair.pk), _is_shared(round, pair)):
            systems = pair.first_id, pair.second_id
            both = SystemCaption.objects.filter(system__in=systems, clip=clip)
            rows = both.values_list("system", "pk", "caption__text")
            captions = {system: (key, text) for system, key, text in rows}
            (first, first_text), (second, second_text) = (captions[system] for system in systems)
            if first_text != second_text:
                return Real(pair, clip, first, second)
    return None


def _pairs_in_turn(round: Round, left: Mapping[int, int]) -> list[SystemPair]:
    short = SystemPair.objects.filter(round=round, given__lt=round.votes_per_pair)
    return [pair for pair in sorted(short, key=_first_served) if left[pair.pk]]


def _first_served(pair: SystemPair) -> tuple[int, float, int]:
    share = (pair.first_points + 1) / (pair.decided + 2)
    return pair.given, abs(share - 0.5), pair.pk


def _is_shared(round: Round, pair: SystemPair) -> bool:
    """Return whether the next vote on the pair is a shared one, with shared votes spread evenly."""
    before, after = pair.given, pair.given + 1
    return after * round.shared_percent // 100 > before * round.shared_percent // 100


def _clips(pair: SystemPair, reviewer: User, left_out: set[int], is_shared: bool) -> Iterator[int]:
    """Yield the clips for which the reviewer may compare the pair, by point 3 of the policy. The
    first one is usually taken, so clips that are cheap to find come first; counting reads the whole
    round.
    """
    here = Q(clip=OuterRef("clip"))
    captions = SystemCaption.objects.filter(here, names_its_model="")
    names_seen = Q(round=pair.round_id, names_shown_at__isnull=False)
    own = CaptionPair.with_known_answers.filter(
        Q(pair=pair) | names_seen, reviewer=reviewer
    ).order_by()
    clips = RoundClip.objects.filter(
        Exists(captions.filter(system=pair.first_id)),
        Exists(captions.filter(system=pair.second_id)),
        round=pair.round_id,
        clip__video__excluded_because="",
        clip__excluded_because="",
    ).exclude(clip__in=own.values("clip"))
    clips = clips.exclude(clip__in=left_out)
    keys = clips.values_list("clip", flat=True)
    seen = Coalesce(_times(CaptionPair.with_known_answers.filter(here, reviewer=reviewer)), 0)
    if is_shared:
        votes = Vote.objects.filter(caption_pair__pair=pair).exclude(
            caption_pair__reviewer=reviewer
        )
        judged = keys.filter(clip__in=votes.order_by().values("caption_pair__clip"))
        yield from judged.alias(seen=seen).order_by("seen", "place")
    # Clips neither compared nor seen. Rows are stored in the order of their places, and the key has
    # an index.
    touched = CaptionPair.with_known_answers.filter(Q(pair=pair) | Q(reviewer=reviewer)).order_by()
    yield from keys.exclude(clip__in=touched.values("clip")).order_by("pk")[:MAX_UNTOUCHED]
    # Count repeats too, because SQLite would look for `repeat_of IS NULL` first, in every round.
    compared = Coalesce(_times(CaptionPair.objects.filter(here, pair=pair)), 0)
    yield from keys.alias(compared=compared, seen=seen).order_by("compared", "seen", "place")


def _times(of_clip: QuerySet[CaptionPair]) -> QuerySet[CaptionPair, Any]:
    """Return the count as a subquery without a row for 0."""
    return of_clip.order_by().values("clip").annotate(n=Count("pk")).values("n")


def _give(round: Round, real: Real, reviewer: User) -> CaptionPair:
    pair, clip, first, second = real
    at_right = pair.given - pair.first_left
    coin = random.Random(f"{round.seed} {pair.pk} {pair.given}").random() < 0.5
    first_is_left = coin if pair.first_left == at_right else pair.first_left < at_right
    left, right = (first, second) if first_is_left else (second, first)
    if is_counted(reviewer.pk, round.project):
        SystemPair.objects.filter(pk=pair.pk).update(
            given=F("given") + 1, first_left=F("first_left") + int(first_is_left)
        )
    return CaptionPair.objects.create(
        round=round,
        pair=pair,
        clip_id=clip,
        left_id=left,
        right_id=right,
        reviewer=reviewer,
    )
