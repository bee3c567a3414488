"""Queries about triplet sets: statistics, test queries and their gallery."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count, F, Min, Q, QuerySet

from annotate.corpus.labels import labels_as_one
from annotate.datasets.rows import source_name
from annotate.models import Clip, Project, Video
from annotate.text.words import count_words
from review.errors import ReviewError
from review.modifications.models import Modification
from review.modifications.text import plain_form
from review.triplets.models import ComposedQuery, ComposedQueryQuerySet, Triplet, TripletSet
from review.triplets.query import Query
from review.triplets.rows import targets_of, verified_queries

Split = Video.Split


def find_set(project: Project, number: int | None) -> TripletSet:
    """Return the set with this number, or else the newest finished one. Raises ReviewError."""
    sets = TripletSet.objects.filter(project=project)
    if number is not None:
        triplet_set = sets.filter(number=number).first()
    else:
        triplet_set = sets.filter(state=TripletSet.State.FINISHED).first()
    if triplet_set is None:
        raise ReviewError("This set of triplets doesn't exist. Generate one on the page Triplets.")
    return triplet_set


def listed_sets(project: Project) -> list[tuple[TripletSet, dict[str, int]]]:
    """Return each set, newest first, with its queries by split."""
    sets = list(TripletSet.objects.filter(project=project).select_related("created_by"))
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    rows = ComposedQuery.objects.filter(triplets__in=sets).values("triplets", "split")
    for row in rows.annotate(n=Count("pk")).order_by("triplets", "split"):
        counts[row["triplets"]][row["split"]] = row["n"]
    return [
        (triplet_set, {split: counts[triplet_set.pk].get(split, 0) for split in Split.values})
        for triplet_set in sets
    ]


@dataclass(frozen=True)
class SplitPart:
    """One split. `videos` are source videos; the parts of a long video count once. `same_source`
    counts triplets whose target is from the query clip's source video.
    """

    split: str
    queries: int
    triplets: int
    clips: int
    videos: int
    same_source: int = 0


@dataclass(frozen=True)
class Statistics:
    """`clips_per_label`: (key, caption, clips), most first. `words`: words -> queries. `targets`:
    targets -> queries of validation and test. `durations`: of the clips, in milliseconds."""

    parts: list[SplitPart]
    clips_per_label: list[tuple[str, str, int]]
    words: Counter[int]
    targets: Counter[int]
    durations: list[int]
    leaking: int
    shared_videos: int
    duplicates: int


def statistics_of(triplets: TripletSet) -> Statistics:
    queries = ComposedQuery.objects.filter(triplets=triplets)
    clips = _clips_of(triplets)
    texts, per_text = _texts_of(queries)
    labels: Counter[tuple[str, str]] = Counter(
        (row[0], row[1]) for row in clips if row[0] is not None
    )
    per_split, same_source, targets, leaking = _targets_of(triplets, queries)
    videos: dict[str, set[str]] = defaultdict(set)
    for _, _, _, split, video in clips:
        videos[split].add(video)
    asked: Counter[str] = Counter()
    for _, split, number in per_text:
        asked[split] += number
    words: Counter[int] = Counter()
    for modification, _, number in per_text:
        words[count_words(texts[modification][1])] += number
    return Statistics(
        parts=[
            SplitPart(
                split=split,
                queries=asked[split],
                triplets=per_split[split],
                clips=sum(row[3] == split for row in clips),
                videos=len(videos[split]),
                same_source=same_source[split],
            )
            for split in Split.values
        ],
        clips_per_label=[(*label, number) for label, number in labels.most_common()],
        words=words,
        targets=targets,
        durations=sorted(row[2] for row in clips),
        leaking=leaking,
        shared_videos=sum(map(len, videos.values())) - len(set().union(*videos.values())),
        duplicates=_duplicates(queries, texts),
    )


def example_queries(triplets: TripletSet) -> list[ComposedQuery]:
    """Return the first test query of each kind of change and domain, with its labels."""
    first = (
        triplets.queries.filter(split=Split.TEST)
        .order_by("modification__pair__kind", "modification__target__domain")
        .values("modification__pair__kind", "modification__target__domain")
        .annotate(first=Min("pk"))
    )
    return list(
        ComposedQuery.objects.filter(pk__in=first.values("first"))
        .select_related("clip", "modification__source", "modification__target")
        .order_by("pk")
    )


ClipRow = tuple[str | None, str, int, str, str]


def _clips_of(triplets: TripletSet) -> list[ClipRow]:
    """Return (label, its caption, milliseconds, split, source video) of each clip that the set
    uses.
    """
    used = Q(pk__in=triplets.queries.values("clip")) | Q(
        pk__in=Triplet.objects.filter(query__triplets=triplets).values("target")
    )
    rows = Clip.objects.filter(used).order_by("label__key", "pk")
    return [
        (label, caption, duration, split, source_name(cut_from, file))
        for label, caption, duration, split, cut_from, file in rows.values_list(
            "label__key",
            "label__caption",
            "duration_ms",
            "video__split",
            "video__cut_from",
            "video__original_name",
        )
    ]


Texts = Mapping[int, tuple[int, str]]


def _texts_of(queries: QuerySet[ComposedQuery]) -> tuple[Texts, list[tuple[int, str, int]]]:
    """Return modification -> source label and text; and (modification, split, queries)."""
    rows = queries.values("modification", "split").annotate(n=Count("pk")).order_by("modification")
    per_text = [(row["modification"], row["split"], row["n"]) for row in rows]
    texts = Modification.objects.filter(pk__in=queries.order_by().values("modification"))
    return {
        key: (source, text) for key, source, text in texts.values_list("pk", "source", "text")
    }, per_text


# The SQL version of `source_name`.
WITHIN_ONE_SOURCE = Q(target__video=F("query__clip__video")) | Q(
    target__video__cut_from=F("query__clip__video__cut_from")
) & (
    ~Q(target__video__cut_from="")
    | Q(target__video__original_name=F("query__clip__video__original_name"))
)


def _targets_of(
    triplets: TripletSet, queries: ComposedQueryQuerySet
) -> tuple[Counter[str], Counter[str], Counter[int], int]:
    """Return triplets by split, those within one source video, queries of validation and test by
    targets, and triplets across splits.
    """
    per_split: Counter[str] = Counter()
    same_source: Counter[str] = Counter()
    leaking = 0
    rows = Triplet.objects.filter(query__triplets=triplets).order_by()
    counted = rows.values("query__split").annotate(
        n=Count("pk"),
        across=Count("pk", filter=~Q(target__video__split=F("query__split"))),
        astray=Count("pk", filter=~Q(query__clip__video__split=F("query__split"))),
        within=Count("pk", filter=WITHIN_ONE_SOURCE),
    )
    for row in counted:
        per_split[row["query__split"]] = row["n"]
        same_source[row["query__split"]] = row["within"]
        leaking += row["across"] + row["astray"]
    held_out = queries.exclude(split=Split.TRAIN).with_target_counts()
    return per_split, same_source, Counter(held_out.values_list("target_count", flat=True)), leaking


def _duplicates(queries: QuerySet[ComposedQuery], texts: Texts) -> int:
    """Count repeated queries with the same clip and the same words."""
    same: dict[tuple[int, str], list[int]] = defaultdict(list)
    for key, (source, text) in texts.items():
        same[source, plain_form(text)].append(key)
    alike = [keys for keys in same.values() if len(keys) > 1]
    groups = {key: number for number, keys in enumerate(alike) for key in keys}
    rows = queries.filter(modification__in=groups).values_list("clip", "modification")
    seen = Counter((clip, groups[modification]) for clip, modification in rows)
    return sum(seen.values()) - len(seen)


def newest_triplets(project: Project) -> TripletSet | None:
    return TripletSet.objects.filter(project=project, state=TripletSet.State.FINISHED).first()


def test_queries(triplets: TripletSet) -> list[Query]:
    """Return the queries of the test split, by key: verified queries as people judged them, others
    as generated. Queries left without a target by people are omitted.
    """
    queries = triplets.queries.filter(split=Video.Split.TEST).order_by("pk")
    keys = queries.order_by().values("pk")
    generated, verified = targets_of(keys), verified_queries(keys)
    of_label: dict[int, list[int]] = defaultdict(list)
    as_one = labels_as_one(triplets.project)
    labeled = test_clips(triplets.project_id).values_list("label", "pk")
    for label, clip in labeled:
        of_label[label].append(clip)
    queries_with_targets: list[Query] = []
    columns = ("pk", "clip", "modification__text", "modification__target")
    for key, clip, text, label in queries.values_list(*columns):
        right = generated_targets = [target for target, _ in generated[key]]
        if judged := verified.get(key):
            text = judged.text or text
            right = judged.right(generated_targets)
        targets = right[: triplets.most_targets] if judged else right
        if targets:
            of_labels = (each for equal in as_one[label] for each in of_label[equal])
            others = {*right, *of_labels} - {clip, *targets}
            others -= set(generated_targets) - set(right)
            queries_with_targets.append(
                Query(key, clip, text, tuple(targets), judged is not None, tuple(sorted(others)))
            )
    return queries_with_targets


def test_gallery(project: Project, queries: Iterable[Query]) -> list[int]:
    """Return the gallery of the test queries: the labeled clips of the test split, and other clips
    that people have added as targets.
    """
    labelled = test_clips(project).values_list("pk", flat=True)
    return sorted(
        {*labelled, *(clip for query in queries for clip in (query.clip, *query.targets))}
    )


def test_clips(project: Project | int) -> QuerySet[Clip]:
    """Return the labeled clips of the test split."""
    return Clip.objects.filter(
        project=project, label__isnull=False, video__split=Video.Split.TEST
    ).order_by("pk")
