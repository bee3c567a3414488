"""Pairs of captions with a known right vote: training, and gold among a round's pairs.

`review/quality` stores the answers. Each belongs to a work item whose subject is the pair with the
known vote, the *source*. A round never asks about a known pair as real work: whether a vote counts
must not depend on who got the pair as gold before. Gold is a pair for one person like any other,
with the systems of the round, so that their names can be shown as after any vote.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from random import SystemRandom
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from annotate.models import Assignment, User, WorkItem
from review.comparisons.models import CaptionPair, Round, SystemCaption, SystemPair

_RANDOM = SystemRandom()


class KnownPair(NamedTuple):
    """A known pair in a round. `captions` are the round's, on the sides of the `source`."""

    source: int
    pair: int
    clip: int
    captions: tuple[int, int]


def known_pairs(round: Round) -> list[KnownPair]:
    """Return the known pairs, active or retired, whose two captions are both in the round."""
    items = WorkItem.with_known_answers.filter(
        project=round.project_id, kind="compare", known_answer__isnull=False
    )
    sources = CaptionPair.objects.filter(pk__in=items.values("subject")).order_by("pk")
    rows = list(sources.values_list("pk", "clip", "left__caption", "right__caption"))
    if not rows:
        return []
    captions = {caption for _, _, *both in rows for caption in both}
    entered = SystemCaption.objects.filter(
        caption__in=captions, system__round=round, names_its_model=""
    ).order_by("-pk")
    of_round = {
        caption: (key, system)
        for key, system, caption in entered.values_list("pk", "system", "caption")
    }
    pairs = {
        frozenset(systems): key
        for key, *systems in SystemPair.objects.filter(round=round).values_list(
            "pk", "first", "second"
        )
    }
    pairs_of_round = []
    for source, clip, left, right in rows:
        if left in of_round and right in of_round:
            (left_key, first), (right_key, second) = of_round[left], of_round[right]
            if pair := pairs.get(frozenset((first, second))):
                pairs_of_round.append(KnownPair(source, pair, clip, (left_key, right_key)))
    return pairs_of_round


def known_clips(round: Round) -> dict[int, set[int]]:
    """Return pair -> the clips for which its captions are a known pair."""
    clips: dict[int, set[int]] = defaultdict(set)
    for known_pair in known_pairs(round):
        clips[known_pair.pair].add(known_pair.clip)
    return clips


def not_judged_by(person: User, sources: QuerySet[CaptionPair]) -> QuerySet[CaptionPair]:
    """Exclude sources whose two captions the person has compared, and sources with a caption whose
    author they were shown."""
    own = CaptionPair.with_known_answers.filter(reviewer=person, clip=OuterRef("clip")).order_by()
    sides = ("left__caption", "right__caption")
    for left, right in (sides, sides[::-1]):
        both = {left: OuterRef("left__caption"), right: OuterRef("right__caption")}
        sources = sources.exclude(Exists(own.filter(**both)))
    with_names = own.filter(names_shown_at__isnull=False)
    for of_own in sides:
        for of_source in sides:
            sources = sources.exclude(Exists(with_names.filter(**{of_own: OuterRef(of_source)})))
    return sources


def gold_for(round: Round, person: User, sources: set[int]) -> list[KnownPair]:
    """Return the sources that the round can ask this person about as gold, now or later: they know
    neither the captions nor the authors."""
    pairs = [pair for pair in known_pairs(round) if pair.source in sources]
    if not pairs:
        return []
    trained = Assignment.objects.filter(
        annotator=person,
        item__kind="compare",
        item__purpose=WorkItem.Purpose.TRAINING,
        item__subject=OuterRef("pk"),
    )
    offered = CaptionPair.objects.filter(
        ~Exists(trained),
        pk__in=[pair.source for pair in pairs],
        clip__video__excluded_because="",
        clip__excluded_because="",
    )
    unknown = set(not_judged_by(person, offered).values_list("pk", flat=True))
    own = CaptionPair.with_known_answers.filter(
        reviewer=person, round=round, names_shown_at__isnull=False
    )
    names_seen = set(own.order_by().values_list("clip", flat=True))
    return [pair for pair in pairs if pair.source in unknown and pair.clip not in names_seen]


def clips_seen_more_often(person: User, clip: int) -> list[int]:
    """Return the clips that the person has seen more often than this next one: gold about them
    would be recognizable."""
    own = CaptionPair.with_known_answers.filter(reviewer=person).order_by()
    seen = Counter(own.values_list("clip", flat=True))
    return [other for other, times in seen.items() if times > seen[clip]]


def give_gold(round: Round, source: int, person: User) -> CaptionPair | None:
    """Create the person's caption pair of a known pair, with sides by chance; None if the round has
    no such pair."""
    pair = next((pair for pair in known_pairs(round) if pair.source == source), None)
    if pair is None:
        return None
    left, right = _RANDOM.sample(pair.captions, 2)
    return CaptionPair.with_known_answers.create(
        round=round,
        pair_id=pair.pair,
        clip_id=pair.clip,
        left_id=left,
        right_id=right,
        reviewer=person,
        gold_of_id=source,
    )
