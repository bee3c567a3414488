"""What the pages of the triplets show of a set: how it is made up, and what people found of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet, Subquery
from django.db.models.expressions import OuterRef

from annotate.models import Clip, Project, Video, WorkItem
from annotate.text.words import count_words
from metrics.intervals import wilson_interval
from review.errors import ReviewError
from review.models import (
    ComposedQuery,
    Modification,
    TargetVerdict,
    Triplet,
    TripletSet,
    TripletVerdict,
)
from review.modification_text import plain_form

Split = Video.Split


def find_set(project: Project, number: int | None) -> TripletSet:
    """The set of this number, else the newest finished one. Raises ReviewError."""
    sets = TripletSet.objects.filter(project=project)
    if number is not None:
        found = sets.filter(number=number).first()
    else:
        found = sets.filter(state=TripletSet.State.FINISHED).first()
    if found is None:
        raise ReviewError("There is no such set of triplets. Generate one on the page Triplets.")
    return found


def listed_sets(project: Project) -> list[tuple[TripletSet, dict[str, int]]]:
    """Each set, newest first, with its queries by split."""
    sets = list(TripletSet.objects.filter(project=project).select_related("created_by"))
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    rows = ComposedQuery.objects.filter(triplets__in=sets).values("triplets", "split")
    for row in rows.annotate(n=Count("pk")).order_by("triplets", "split"):
        counts[row["triplets"]][row["split"]] = row["n"]
    return [(one, {split: counts[one.pk].get(split, 0) for split in Split.values}) for one in sets]


@dataclass(frozen=True)
class SplitPart:
    """`videos` are source videos, the parts of one long video counted once."""

    split: str
    queries: int
    triplets: int
    clips: int
    videos: int


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
    per_split, targets, leaking = _targets_of(triplets, queries)
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


ClipRow = tuple[str | None, str, int, str, str]


def _clips_of(triplets: TripletSet) -> list[ClipRow]:
    """(label, its caption, milliseconds, split, source video) of each clip that the set uses."""
    used = Q(pk__in=triplets.queries.values("clip")) | Q(
        pk__in=Triplet.objects.filter(query__triplets=triplets).values("target")
    )
    rows = Clip.objects.filter(used).order_by("label__key", "pk")
    return [
        (label, caption, duration, split, whole or f"{video}")
        for label, caption, duration, split, whole, video in rows.values_list(
            "label__key",
            "label__caption",
            "duration_ms",
            "video__split",
            "video__cut_from",
            "video__pk",
        )
    ]


Texts = Mapping[int, tuple[int, str]]


def _texts_of(queries: QuerySet[ComposedQuery]) -> tuple[Texts, list[tuple[int, str, int]]]:
    """modification -> source label and text; and (modification, split, queries)."""
    rows = queries.values("modification", "split").annotate(n=Count("pk")).order_by("modification")
    per_text = [(row["modification"], row["split"], row["n"]) for row in rows]
    texts = Modification.objects.filter(pk__in=queries.order_by().values("modification"))
    return {
        key: (source, text) for key, source, text in texts.values_list("pk", "source", "text")
    }, per_text


def _targets_of(
    triplets: TripletSet, queries: QuerySet[ComposedQuery]
) -> tuple[Counter[str], Counter[int], int]:
    """Triplets by split, queries of validation and test by targets, triplets across splits."""
    per_split: Counter[str] = Counter()
    leaking = 0
    rows = Triplet.objects.filter(query__triplets=triplets).order_by()
    counted = rows.values("query__split").annotate(
        n=Count("pk"),
        across=Count("pk", filter=~Q(target__video__split=F("query__split"))),
        astray=Count("pk", filter=~Q(query__clip__video__split=F("query__split"))),
    )
    for row in counted:
        per_split[row["query__split"]] = row["n"]
        leaking += row["across"] + row["astray"]
    held_out = queries.exclude(split=Split.TRAIN).with_target_counts()
    return per_split, Counter(held_out.values_list("target_count", flat=True)), leaking


def _duplicates(queries: QuerySet[ComposedQuery], texts: Texts) -> int:
    """Queries beyond the first of the same clip with the same words."""
    same: dict[tuple[int, str], list[int]] = defaultdict(list)
    for key, (source, text) in texts.items():
        same[source, plain_form(text)].append(key)
    groups = {key: number for number, keys in enumerate(same.values()) for key in keys[1:] and keys}
    rows = queries.filter(modification__in=groups).values_list("clip", "modification")
    seen = Counter((clip, groups[modification]) for clip, modification in rows)
    return sum(seen.values()) - len(seen)


@dataclass(frozen=True)
class Share:
    label: str
    number: int
    of: int

    @property
    def percent(self) -> float | None:
        return 100 * self.number / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's, in percent."""
        found = wilson_interval(self.number, self.of)
        return found and (100 * found[0], 100 * found[1])


@dataclass(frozen=True)
class Verification:
    """What people found of one split; `asked` and `done` count queries, `verdicts` people's."""

    split: str
    asked: int
    done: int
    verdicts: int
    corrected: int
    added: int
    shares: list[Share]


def verification_of(triplets: TripletSet) -> list[Verification]:
    """Of each split of which queries were handed out."""
    asked, done = _progress_of(triplets)
    of_set = TripletVerdict.objects.filter(query__triplets=triplets)
    given = {
        row["query__split"]: row
        for row in of_set.order_by()
        .values("query__split")
        .annotate(
            n=Count("pk"),
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
    return [
        _verification(split, asked[split], done[split], given.get(split), targets.get(split))
        for split in Split.values
        if asked[split] or split in given
    ]


def _verification(
    split: str, asked: int, done: int, given: Mapping | None, targets: Mapping | None
) -> Verification:
    verdicts = given["n"] if given else 0
    return Verification(
        split=split,
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
            ),
            *(
                Share(label, given[name] if given else 0, verdicts)
                for name, label in (
                    ("right", "Modification right"),
                    ("enough", "Modification enough"),
                    ("needed", "All of it needed"),
                )
            ),
        ],
    )


def _progress_of(triplets: TripletSet) -> tuple[Counter[str], Counter[str]]:
    """Queries of each split that people are asked about, and those that all asked have judged."""
    subject = ComposedQuery.objects.filter(pk=OuterRef("subject"), triplets=triplets)
    rows = (
        WorkItem.objects.filter(project=triplets.project_id, kind=WorkItem.Kind.TRIPLET)
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


def corrected_texts(triplets: TripletSet, most: int) -> QuerySet[TripletVerdict]:
    """The newest corrections, with the query's clip and text and who gave it."""
    return (
        TripletVerdict.objects.filter(query__triplets=triplets)
        .exclude(corrected="")
        .select_related("query__clip", "query__modification", "person")
        .order_by("-pk")[:most]
    )


def added_clips(triplets: TripletSet, most: int) -> QuerySet[TargetVerdict]:
    """The newest clips that people added, with the query's clip and text."""
    return (
        TargetVerdict.objects.filter(verdict__query__triplets=triplets, is_added=True)
        .select_related("clip", "verdict__query__clip", "verdict__query__modification")
        .order_by("-pk")[:most]
    )
