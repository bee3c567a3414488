"""A set's composed queries for an export, with people's verdicts applied."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

from annotate.models import Clip
from review.triplets.models import TargetVerdict, Triplet, TripletSet, TripletVerdict

# Queries in memory at a time, with all of their targets.
QUERY_BATCH_SIZE = 500


@dataclass(frozen=True)
class ComposedRow:
    """`clip` and `targets` are names of clips, the primary target first; `source` and `target` keys
    of labels."""

    key: int
    clip: str
    source: str
    target: str
    kind: str
    domain: str
    text: str
    targets: tuple[str, ...]


@dataclass(frozen=True)
class Verified:
    """The majority verdict on a query: `text` is empty if the text is unchanged; `valid` and
    `added` are clips, in the order of the targets and of their keys.
    """

    people: int
    text: str
    valid: frozenset[int]
    added: tuple[int, ...]

    def right(self, generated: Iterable[int]) -> list[int]:
        """Return the valid generated targets, then the added clips."""
        return [*(clip for clip in generated if clip in self.valid), *self.added]

    def targets(self, generated: Iterable[int], most: int | None) -> list[int]:
        """Return the right clips, at most `most`, or all."""
        return self.right(generated)[:most]


def composed_rows(
    triplets: TripletSet, split: str, *, verified_only: bool = False
) -> Iterator[ComposedRow]:
    """Yield the queries of a split in the order of their keys, in batches.

    `verified_only`: only verified queries, with the majority's text and targets. A query without
    such a target is left out, and none has more targets than the set allows.
    """
    for rows, targets in composed_batches(triplets, split):
        if verified_only:
            yield from _as_verified(rows, targets, triplets.most_targets)
        else:
            yield from rows


# By query, the key and name of each target, the primary one first.
Targets = Mapping[int, Sequence[tuple[int, str]]]


def composed_batches(
    triplets: TripletSet, split: str
) -> Iterator[tuple[list[ComposedRow], Targets]]:
    """Yield the queries of a split as they were generated, in the order of their keys, with their
    targets."""
    queries = (
        triplets.queries.filter(split=split)
        .order_by("pk")
        .values_list(
            "pk",
            "clip__name",
            "modification__source__key",
            "modification__target__key",
            "modification__pair__kind",
            "modification__target__domain",
            "modification__text",
        )
    )
    last = 0
    while batch := list(queries.filter(pk__gt=last)[:QUERY_BATCH_SIZE]):
        last = batch[-1][0]
        targets = targets_of([row[0] for row in batch])
        names = {key: tuple(name for _, name in of_query) for key, of_query in targets.items()}
        yield [ComposedRow(*row, targets=names.get(row[0], ())) for row in batch], targets


# Keys of queries, or a queryset of them, so that the number of statements is constant.
Keys = Sequence[int] | QuerySet[Any]


def targets_of(queries: Keys) -> dict[int, list[tuple[int, str]]]:
    """Return, by query, the key and name of each target, the primary one first."""
    targets: dict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = Triplet.objects.filter(query__in=queries).order_by("query", "place", "pk")
    for query, clip, name in rows.values_list("query", "target", "target__name"):
        targets[query].append((clip, name))
    return targets


def verified_queries(queries: Keys) -> dict[int, Verified]:
    """Return the majority verdict on each verified query."""
    texts: dict[int, list[str]] = defaultdict(list)
    verdicts = TripletVerdict.objects.filter(query__in=queries).order_by("pk")
    for query, text in verdicts.values_list("query", "corrected"):
        texts[query].append(text)
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    added: dict[int, set[int]] = defaultdict(set)
    targets = TargetVerdict.objects.filter(verdict__query__in=queries, is_valid=True)
    for query, clip, is_added in targets.values_list("verdict__query", "clip", "is_added"):
        votes[query][clip] += 1
        if is_added:
            added[query].add(clip)
    verified = {}
    for query, texts_of_query in texts.items():
        most = {clip for clip, number in votes[query].items() if 2 * number > len(texts_of_query)}
        verified[query] = Verified(
            people=len(texts_of_query),
            text=_text_of_most(texts_of_query),
            valid=frozenset(most - added[query]),
            added=tuple(sorted(most & added[query])),
        )
    return verified


def _text_of_most(texts: Sequence[str]) -> str:
    """Return the most frequent correction, the newest if tied, if a majority corrected the text."""
    corrected = [text for text in texts if text]
    if 2 * len(corrected) <= len(texts):
        return ""
    counts = Counter(reversed(corrected))
    return counts.most_common(1)[0][0]


def _as_verified(rows: Iterable[ComposedRow], targets: Targets, most: int) -> Iterator[ComposedRow]:
    listed = list(rows)
    verified = verified_queries([row.key for row in listed])
    names = added_names(verified)
    for row in listed:
        verdict = verified.get(row.key)
        if verdict and (changed := as_judged(row, verdict, targets[row.key], names, most)):
            yield changed


def added_names(verified: Mapping[int, Verified]) -> dict[int, str]:
    """Return the names of the clips that people added."""
    keys = {clip for verdict in verified.values() for clip in verdict.added}
    return dict(Clip.objects.filter(pk__in=keys).values_list("pk", "name"))


def as_judged(
    row: ComposedRow,
    verdict: Verified,
    targets: Sequence[tuple[int, str]],
    names: Mapping[int, str],
    most: int | None,
) -> ComposedRow | None:
    """Return the query with the text and the targets of the majority, at most `most` (None: all);
    None if no target is left. `names`: of the clips that people added."""
    own = dict(targets)
    kept = verdict.targets(own, most)
    if not kept:
        return None
    named = tuple(own.get(clip) or names[clip] for clip in kept)
    return replace(row, text=verdict.text or row.text, targets=named)
