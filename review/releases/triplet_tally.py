"""Counts of the queries of the next release in TF-CoVR's form, and what a release stores about its
set of triplets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, Self

from review.frozen.models import Release
from review.releases.triplet_content import LOADER_TARGETS, SPLITS, JudgedQuery, Split
from review.releases.triplet_plan import TripletPlan, VectorChoice
from review.reports.results import convert
from review.triplets.models import TripletSet
from review.triplets.rows import ComposedRow

NO_SET = "No set of triplets is finished yet. Generate one on the page Triplets."


class NamedQuery(NamedTuple):
    """A query as pages list it, and the name of its clip."""

    name: str
    clip: str


@dataclass
class Tally:
    """`queries` and `triplets` by split. `verified`: queries that people judged, by split. The
    lists name queries. `contents`: name -> a value that identifies the version of a query."""

    queries: Counter[str] = field(default_factory=Counter)
    triplets: Counter[str] = field(default_factory=Counter)
    verified: Counter[str] = field(default_factory=Counter)
    without_target: list[NamedQuery] = field(default_factory=list)
    unverified_tests: list[NamedQuery] = field(default_factory=list)
    too_many_targets: list[NamedQuery] = field(default_factory=list)
    contents: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.queries.total()

    @property
    def splits(self) -> list[tuple[str, int, int, int]]:
        """Return (split, queries, verified queries, triplets) of each split."""
        return [
            (split.label, self.queries[split], self.verified[split], self.triplets[split])
            for split in Split
        ]

    def add(self, query: JudgedQuery) -> None:
        split, targets = query.split, len(query.row.targets)
        self.queries[split] += 1
        self.triplets[split] += targets
        self.verified[split] += bool(query.verdicts)
        if split == Split.TEST and not query.verdicts:
            self.unverified_tests.append(named(query.row))
        if split != Split.TRAIN and targets > LOADER_TARGETS:
            self.too_many_targets.append(named(query.row))


def tally_queries(plan: TripletPlan, *, has_contents: bool = False) -> Tally:
    """Read all queries once, in batches. `has_contents`: with the content of each, to compare."""
    tally = Tally()
    for split in SPLITS:
        for generated, query in plan.judged(split):
            if query is None:
                tally.without_target.append(named(generated))
                continue
            tally.add(query)
            if has_contents:
                tally.contents[query_name(generated)] = content_of(query)
    return tally


def named(row: ComposedRow) -> NamedQuery:
    return NamedQuery(query_name(row), row.clip)


def query_name(row: ComposedRow) -> str:
    return f"{row.clip}, {row.source} to {row.target}"


def content_of(query: JudgedQuery) -> int:
    """Return a number that differs if the query's content does; it compares within one process."""
    verdicts = tuple(_frozen(verdict) for verdict in query.verdicts)
    return hash((query.split, query.row.text, query.row.targets, query.row.kind, verdicts))


def _frozen(verdict: Mapping[str, Any]) -> tuple[object, ...]:
    return tuple(
        (name, tuple(value) if isinstance(value, list) else value)
        for name, value in sorted(verdict.items())
    )


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
    `cut_to_loader`: queries with more targets than TF-CoVR's loader takes. `weights`: what is
    stated of those of the encoder of `vectors`."""

    set: int
    generated: Generated
    queries: Mapping[str, int]
    verified: Mapping[str, int]
    triplets: Mapping[str, int]
    cut_to_loader: int
    vectors: VectorChoice | None
    weights: Mapping[str, str] | None = None


def facts_of(plan: TripletPlan, tally: Tally) -> TripletFacts:
    triplets = plan.triplets
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
