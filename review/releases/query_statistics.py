"""A page's statistics of the queries of a release in TF-CoVR's form, counted from its frozen
rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from annotate.models import Video
from annotate.text.words import count_words
from review.display.charts import Figure
from review.frozen.models import Release
from review.frozen.query_models import ReleasedQuery
from review.triplets.figures import targets_figure, words_figure

Split = Video.Split
# Targets of a query on a page; a query of train can have thousands.
LISTED_TARGETS = 10


@dataclass(frozen=True)
class QueryCount:
    """One split. `clips`: with its source videos, whether or not a query has them."""

    split: str
    queries: int
    verified: int
    targets: int
    clips: int
    sources: int

    @property
    def mean_targets(self) -> float | None:
        return self.targets / self.queries if self.queries else None


def query_counts(release: Release) -> list[QueryCount]:
    queries = {
        row["split"]: row
        for row in release.queries.order_by()
        .values("split")
        .annotate(
            n=Count("pk"), verified=Count("pk", filter=Q(is_verified=True)), of=Sum("target_count")
        )
    }
    clips = {
        row["split"]: row
        for row in release.triplet_clips.order_by()
        .values("split")
        .annotate(n=Count("pk"), sources=Count("source_video", distinct=True))
    }
    none = {"n": 0, "verified": 0, "of": 0, "sources": 0}
    return [
        QueryCount(
            split=split.label,
            queries=queries.get(split, none)["n"],
            verified=queries.get(split, none)["verified"],
            targets=queries.get(split, none)["of"],
            clips=clips.get(split, none)["n"],
            sources=clips.get(split, none)["sources"],
        )
        for split in Split
    ]


def query_figures(release: Release) -> list[Figure]:
    """Return the words per text, over all queries, and the targets per query of validation and
    test."""
    words: Counter[int] = Counter()
    texts = release.queries.order_by().values_list("text").annotate(n=Count("pk"))
    for text, number in texts:
        words[count_words(text)] += number
    held_out = release.queries.exclude(split=Split.TRAIN).order_by()
    targets = Counter(dict(held_out.values_list("target_count").annotate(n=Count("pk"))))
    figures = [words_figure(words)] if words else []
    return [*figures, targets_figure(targets)] if targets else figures


@dataclass(frozen=True)
class ListedQuery:
    """A query with the name and the key of its first targets; `more`: how many others it has."""

    query: ReleasedQuery
    targets: list[tuple[str, int]]

    @property
    def more(self) -> int:
        return max(0, self.query.target_count - LISTED_TARGETS)


def listed_queries(release: Release, queries: Iterable[ReleasedQuery]) -> list[ListedQuery]:
    """Return the queries with their first LISTED_TARGETS targets."""
    listed_targets = [(query, query.targets[:LISTED_TARGETS]) for query in queries]
    numbers = {number for _, targets in listed_targets for number in targets}
    rows = release.triplet_clips.filter(number__in=numbers).order_by()
    names = {
        number: (name, clip) for number, name, clip in rows.values_list("number", "name", "clip")
    }
    gone = release.withdrawn.clips
    return [
        ListedQuery(query, [names[number] for number in targets if names[number][1] not in gone])
        for query, targets in listed_targets
    ]
