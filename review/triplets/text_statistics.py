"""Statistics of a set's modification texts: by domain and kind, and the frequency of each word
(TF-CoVR, section 3 and Figure A3).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count

from annotate.text.words import find_words
from review.display.tables import csv_text
from review.pairs.models import LabelPair
from review.triplets.models import TripletSet


@dataclass(frozen=True)
class Direction:
    """A text of the set, from one label to another. `domain` is that of its target."""

    pair: int
    kind: str
    domain: str
    text: str
    queries: int
    triplets: int


@dataclass(frozen=True)
class TextGroup:
    """Counts of one domain and kind of change; empty names are all of them. `texts` are distinct;
    `words` are those of each, which several `directions` can share.
    """

    domain: str
    kind: str
    directions: int
    pairs: int
    texts: int
    queries: int
    triplets: int
    words: tuple[int, ...]

    @property
    def mean_words(self) -> float:
        return sum(self.words) / len(self.words)

    @property
    def least_words(self) -> int:
        return min(self.words)

    @property
    def most_words(self) -> int:
        return max(self.words)


@dataclass(frozen=True)
class WordCount:
    """`times`: in the different texts; `texts`, `queries`: those that have the word."""

    word: str
    times: int
    texts: int
    queries: int


GROUP_COLUMNS = (
    *("domain", "kind", "directions", "pairs", "texts", "queries", "triplets"),
    *("mean_words", "least_words", "most_words"),
)
WORD_COLUMNS = ("word", "times", "texts", "queries")


def directions_of(triplets: TripletSet) -> list[Direction]:
    """Return the directions that queries of the set have."""
    rows = (
        triplets.queries.order_by("modification")
        .values_list(
            "modification",
            "modification__pair",
            "modification__pair__kind",
            "modification__target__domain",
            "modification__text",
        )
        .annotate(queries=Count("pk", distinct=True), triplets=Count("targets"))
    )
    return [Direction(*direction) for _, *direction in rows]


def text_groups(directions: Iterable[Direction]) -> list[TextGroup]:
    """Return a group for each domain and kind, by name, and then all together."""
    groups: dict[tuple[str, str], list[Direction]] = defaultdict(list)
    for direction in directions:
        groups[direction.domain, direction.kind].append(direction)
    everything = [direction for group in groups.values() for direction in group]
    names = dict(LabelPair.Kind.choices)
    listed = [
        _group(domain, names.get(kind, kind), groups[domain, kind])
        for domain, kind in sorted(groups)
    ]
    return [*listed, _group("", "", everything)] if everything else []


def _group(domain: str, kind: str, directions: list[Direction]) -> TextGroup:
    texts = {direction.text for direction in directions}
    return TextGroup(
        domain=domain,
        kind=kind,
        directions=len(directions),
        pairs=len({direction.pair for direction in directions}),
        texts=len(texts),
        queries=sum(direction.queries for direction in directions),
        triplets=sum(direction.triplets for direction in directions),
        words=tuple(len(find_words(text)) for text in sorted(texts)),
    )


def word_counts(directions: Iterable[Direction]) -> list[WordCount]:
    """Return how often each word occurs, in lower case, the most frequent first."""
    queries: Counter[str] = Counter()
    for direction in directions:
        queries[direction.text] += direction.queries
    times: Counter[str] = Counter()
    texts: Counter[str] = Counter()
    in_queries: Counter[str] = Counter()
    for text, number in queries.items():
        in_text = Counter(word.text.lower() for word in find_words(text))
        times += in_text
        texts.update(in_text.keys())
        in_queries.update(dict.fromkeys(in_text, number))
    rows = [WordCount(word, times[word], texts[word], in_queries[word]) for word in times]
    return sorted(rows, key=lambda row: (-row.times, row.word))


def words_csv(triplets: TripletSet) -> str:
    return csv_text(
        WORD_COLUMNS,
        [
            (row.word, row.times, row.texts, row.queries)
            for row in word_counts(directions_of(triplets))
        ],
    )


def groups_csv(triplets: TripletSet) -> str:
    """Return a row for each domain and kind; the last, without names, is all together."""
    groups = text_groups(directions_of(triplets))
    return csv_text(
        GROUP_COLUMNS, [[getattr(row, name) for name in GROUP_COLUMNS] for row in groups]
    )


STATISTICS = {"words": words_csv, "texts": groups_csv}
