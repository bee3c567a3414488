"""Counts of the queries of the next release in TF-CoVR's form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from review.releases.triplet_content import LOADER_TARGETS, SPLITS, JudgedQuery, Split
from review.releases.triplet_plan import TripletPlan
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
