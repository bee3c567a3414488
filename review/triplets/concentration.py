"""How far the triplets of a set concentrate in few directions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count

from annotate.models import Video
from review.display.charts import Figure, draw_bars
from review.modifications.models import Modification
from review.triplets.caps import MAXIMUM, share_of_largest
from review.triplets.models import Triplet, TripletSet


@dataclass(frozen=True)
class Concentration:
    """One split: its directions, their triplets, and the share of the largest directions."""

    split: str
    directions: int
    triplets: int
    largest: float | None
    most: int


def concentration_of(triplets: TripletSet) -> tuple[list[Concentration], Figure | None]:
    """Return the concentration of each split that has triplets, and the figure of train."""
    by_split: dict[str, dict[int, int]] = defaultdict(dict)
    rows = Triplet.objects.filter(query__triplets=triplets).order_by()
    columns = ("query__split", "query__modification")
    for split, direction, number in rows.values_list(*columns).annotate(n=Count("pk")):
        by_split[split][direction] = number
    parts = [
        Concentration(
            split=split,
            directions=len(by_split[split]),
            triplets=sum(by_split[split].values()),
            largest=share_of_largest(by_split[split].values()),
            most=max(by_split[split].values()),
        )
        for split in Video.Split.values
        if by_split[split]
    ]
    train = by_split[Video.Split.TRAIN]
    return parts, _figure(train) if train else None


def _figure(numbers: dict[int, int]) -> Figure:
    names = {
        key: f"{source} → {target}"
        for key, source, target in Modification.objects.filter(pk__in=numbers).values_list(
            "pk", "source__key", "target__key"
        )
    }
    ranked = sorted(numbers.items(), key=lambda direction: (-direction[1], direction[0]))
    total = sum(numbers.values())
    largest = share_of_largest(numbers.values()) or 0
    shares: list[tuple[object, ...]] = [
        (names[key], f"{100 * number / total:.1f} %", number) for key, number in ranked
    ]
    return Figure(
        "directions",
        "Train triplets per direction",
        f"{len(ranked)} directions; the {min(MAXIMUM, len(ranked))} largest have "
        f"{100 * largest:.1f} % of {total:,} triplets.",
        draw_bars([(str(place), number) for place, (_, number) in enumerate(ranked, 1)], labels=12),
        ("Direction", "Share", "Triplets"),
        shares,
    )
