"""What a release in TF-CoVR's form stores about its set of triplets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

from review.frozen.models import Release
from review.releases.triplet_content import SPLITS
from review.releases.triplet_plan import TripletPlan, VectorChoice
from review.releases.triplet_tally import Tally
from review.reports.results import convert
from review.triplets.models import TripletSet


@dataclass(frozen=True)
class Generated:
    """How the set was generated, by the fields of TripletSet."""

    seed: int
    most_targets: int
    other_sources: str
    test_queries: int
    most_per_query: int
    most_per_direction: int
    train_triplets: int

    @classmethod
    def of(cls, triplets: TripletSet) -> Self:
        return cls(**{field.name: getattr(triplets, field.name) for field in fields(cls)})


@dataclass(frozen=True)
class TripletFacts:
    """`set`: its number. The counts are by split; `verified`: queries that people judged.
    `cut_to_loader`: queries with more targets than TF-CoVR's loader takes."""

    set: int
    generated: Generated
    queries: Mapping[str, int]
    verified: Mapping[str, int]
    triplets: Mapping[str, int]
    cut_to_loader: int
    vectors: VectorChoice | None


def facts_of(plan: TripletPlan, tally: Tally) -> TripletFacts:
    triplets: TripletSet = plan.triplets
    return counted(tally, triplets.number, Generated.of(triplets), plan.vector_choice)


def counted(
    tally: Tally, number: int, generated: Generated, vectors: VectorChoice | None
) -> TripletFacts:
    def of_splits(counts: Counter[str]) -> dict[str, int]:
        return {split: counts[split] for split in SPLITS}

    return TripletFacts(
        set=number,
        generated=generated,
        queries=of_splits(tally.queries),
        verified=of_splits(tally.verified),
        triplets=of_splits(tally.triplets),
        cut_to_loader=len(tally.too_many_targets),
        vectors=vectors,
    )


def frozen_facts(release: Release) -> TripletFacts | None:
    """Return the facts; None of a release in another form."""
    stored = release.triplet_facts
    return None if stored is None else convert(stored, TripletFacts)
