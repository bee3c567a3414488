"""The verification of a triplet set: progress, shares with intervals, corrections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from annotate.clips_to_do import subjects_to_do
from annotate.models import Membership, Project, Video, WorkItem
from metrics.intervals import wilson_interval
from review.triplets.models import (
    ComposedQuery,
    TargetVerdict,
    TripletHandOut,
    TripletSet,
    TripletVerdict,
)

Split = Video.Split
NOT_RANDOM = "not drawn at random"
IMPORTED = "some were imported"


@dataclass(frozen=True)
class Share:
    """`reason`: why the share has no interval in spite of judgments."""

    label: str
    number: int
    of: int
    reason: str = ""

    @property
    def percent(self) -> float | None:
        return 100 * self.number / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return Wilson's interval, in percent."""
        if self.reason:
            return None
        interval = wilson_interval(self.number, self.of)
        return interval and (100 * interval[0], 100 * interval[1])


@dataclass(frozen=True)
class Verification:
    """The verification of one split; `asked` and `done` count queries, `verdicts` those of people.

    `of`: the queries of the split. `is_random`: all were assigned, or the assigned ones were drawn
    at random, so that they represent the split; each was drawn with probability `asked` / `of`.
    """

    split: str
    of: int
    is_random: bool
    asked: int
    done: int
    verdicts: int
    corrected: int
    added: int
    shares: list[Share]

    @property
    def probability(self) -> float | None:
        """Return the probability that a query was drawn, in percent."""
        return 100 * self.asked / self.of if self.of else None


def verification_of(triplets: TripletSet) -> list[Verification]:
    """Return the verification of each split with assigned queries."""
    asked, done = _progress_of(triplets)
    of_set = TripletVerdict.objects.filter(query__triplets=triplets)
    verdicts = {
        row["query__split"]: row
        for row in of_set.order_by()
        .values("query__split")
        .annotate(
            n=Count("pk"),
            imported=Count("pk", filter=~Q(label="")),
            judged=Count("query", distinct=True),
            right=Count("pk", filter=Q(is_right=True)),
            enough=Count("pk", filter=Q(is_enough=True)),
            needed=Count("pk", filter=Q(is_needed=True)),
            corrected_texts=Count("pk", filter=~Q(corrected="")),
        )
    }
    targets = {
        row["verdict__query__split"]: row
        for row in TargetVerdict.objects.filter(verdict__query__triplets=triplets)
        .order_by()
        .values("verdict__query__split")
        .annotate(
            judged=Count("pk", filter=Q(is_added=False)),
            valid=Count("pk", filter=Q(is_added=False, is_valid=True)),
            added=Count("pk", filter=Q(is_added=True)),
        )
    }
    of, chosen = _sizes(triplets), _chosen_otherwise(triplets)
    return [
        _verification(
            split,
            of[split],
            split not in chosen or asked[split] >= of[split],
            asked[split],
            done[split],
            verdicts.get(split),
            targets.get(split),
        )
        for split in Split.values
        if asked[split] or split in verdicts
    ]


def _sizes(triplets: TripletSet) -> Counter[str]:
    rows = triplets.queries.order_by().values("split").annotate(n=Count("pk"))
    return Counter({row["split"]: row["n"] for row in rows})


def _chosen_otherwise(triplets: TripletSet) -> set[str]:
    """Return the splits with assigned queries that weren't drawn at random."""
    chosen = triplets.hand_outs.filter(queries__gt=0).exclude(order=TripletHandOut.Order.RANDOM)
    return set(chosen.order_by().values_list("split", flat=True))


def _verification(
    split: str,
    of: int,
    is_random: bool,
    asked: int,
    done: int,
    given: Mapping[str, Any] | None,
    targets: Mapping[str, Any] | None,
) -> Verification:
    verdicts = given["n"] if given else 0
    reason = "" if is_random else NOT_RANDOM
    if given and given["imported"] and given["judged"] < of:
        reason = IMPORTED
    return Verification(
        split=split,
        of=of,
        is_random=is_random,
        asked=asked,
        done=done,
        verdicts=verdicts,
        corrected=given["corrected_texts"] if given else 0,
        added=targets["added"] if targets else 0,
        shares=[
            Share(
                "Targets valid",
                targets["valid"] if targets else 0,
                targets["judged"] if targets else 0,
                reason,
            ),
            *(
                Share(label, given[name] if given else 0, verdicts, reason)
                for name, label in (
                    ("right", "Modification right"),
                    ("enough", "Modification enough"),
                    ("needed", "Every part needed"),
                )
            ),
        ],
    )


def _progress_of(triplets: TripletSet) -> tuple[Counter[str], Counter[str]]:
    """Return the number of assigned queries of each split, and of those that all assigned people
    have judged.
    """
    subject = ComposedQuery.objects.filter(pk=OuterRef("subject"), triplets=triplets)
    rows = (
        WorkItem.objects.filter(project=triplets.project_id, kind="triplet")
        .annotate(split=Subquery(subject.values("split")))
        .exclude(split=None)
        .values("split", "state")
        .annotate(n=Count("pk"))
        .order_by()
    )
    asked: Counter[str] = Counter()
    done: Counter[str] = Counter()
    for row in rows:
        asked[row["split"]] += row["n"]
        if row["state"] == WorkItem.State.DONE:
            done[row["split"]] += row["n"]
    return asked, done


def verified_by_set(project: Project, splits: Collection[str]) -> dict[int, int]:
    """Return the number of verified queries of these splits, by number of the set, for sets with
    any.
    """
    verdicts = TripletVerdict.objects.filter(
        query__triplets__project=project, query__split__in=splits
    )
    numbers = verdicts.order_by().values_list("query__triplets__number")
    return dict(numbers.annotate(n=Count("query", distinct=True)))


def corrected_texts(
    membership: Membership, triplets: TripletSet, most: int
) -> QuerySet[TripletVerdict]:
    """Return the newest corrections, with the query's clip and text and the person; without those
    of queries that the reader could still verify where gold is among them."""
    verdicts = TripletVerdict.objects.filter(query__triplets=triplets)
    if (hidden := subjects_to_do(membership, "triplet")) is not None:
        verdicts = verdicts.exclude(query__in=hidden)
    return (
        verdicts.exclude(corrected="")
        .select_related("query__clip", "query__modification", "person")
        .order_by("-pk")[:most]
    )


def added_clips(membership: Membership, triplets: TripletSet, most: int) -> QuerySet[TargetVerdict]:
    """Return the newest clips that people added, with the query's clip and text; without those that
    `corrected_texts` leaves out."""
    verdicts = TargetVerdict.objects.filter(verdict__query__triplets=triplets, is_added=True)
    if (hidden := subjects_to_do(membership, "triplet")) is not None:
        verdicts = verdicts.exclude(verdict__query__in=hidden)
    return verdicts.select_related(
        "clip", "verdict__query__clip", "verdict__query__modification"
    ).order_by("-pk")[:most]
