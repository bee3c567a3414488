"""The statistics of a release, counted in its frozen rows: CaReBench's Figure 2 and LoVR's 5, and
those of the queries in TF-CoVR's form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, F, Q, Sum

from annotate.corpus.balance import bin_lengths
from annotate.corpus.pieces import LeftOut
from annotate.models import Caption, Video
from annotate.text.words import count_words
from review.display.charts import Figure
from review.frozen.models import Release, ReleasedScene
from review.frozen.query_models import ReleasedQuery
from review.releases.content import signature
from review.statistics.files import Counted
from review.statistics.report import CLIPS, VIDEOS, Captions, Level, Statistics, origin_of
from review.triplets.figures import targets_figure, words_figure

Kind = Caption.Kind
HALVES = {
    Kind.GENERAL: "caption",
    Kind.SPATIAL: "spatial_caption",
    Kind.TEMPORAL: "temporal_caption",
}
Texts = Iterable[tuple[str, int]]
Split = Video.Split
# Targets of a query on a page; a query of train can have thousands.
LISTED_TARGETS = 10


def release_statistics(release: Release) -> Statistics:
    """Return the statistics of a release, like `count_statistics` of a project, in at most three
    queries. Lengths are those of the frozen frames. Captions and their sources never change.

    In CaReBench's form a clip is a whole video, so only clips are counted; in TF-CoVR's, clips have
    labels and no captions.
    """
    if release.format == Release.Format.LOVR:
        return _of_scenes(release)
    if release.format == Release.Format.TFCOVR:
        return _of_labeled_clips(release)
    names = [f"{field}__{part}" for field in HALVES.values() for part in ("source", "word_count")]
    rows = list(
        release.clips.order_by().values_list(
            *names,
            "provenance",
            F("clip__end_frame") - F("clip__start_frame"),
            "clip__video__fps_num",
            "clip__video__fps_den",
        )
    )
    lengths = [_length(*row[len(names) :]) for row in rows]
    captions = [
        _captions(kind, ((row[place], row[place + 1]) for row in rows))
        for place, kind in zip(range(0, len(names), 2), HALVES, strict=True)
    ]
    return Statistics(_level(CLIPS, lengths, captions), _level(VIDEOS, [], []), LeftOut(0, 0, 0))


def _of_labeled_clips(release: Release) -> Statistics:
    provenances = release.triplet_clips.order_by().values_list("provenance", flat=True)
    lengths = [_milliseconds(of_clip["frames"], of_clip["fps"]) for of_clip in provenances]
    return Statistics(_level(CLIPS, lengths, []), _level(VIDEOS, [], []), LeftOut(0, 0, 0))


def _of_scenes(release: Release) -> Statistics:
    scenes = list(
        ReleasedScene.objects.filter(video__release=release)
        .order_by()
        .values_list(
            "start_frame",
            "end_frame",
            "video__fps_num",
            "video__fps_den",
            "caption__source",
            "caption__word_count",
        )
    )
    videos = list(
        release.videos.order_by().values_list(
            "full_caption__source", "full_caption__word_count",
            "provenance", "video__frames", "fps_num", "fps_den",
        )
    )  # fmt: skip
    described = [(source, words) for source, words, *_ in videos if source]
    return Statistics(
        _level(
            CLIPS,
            [_milliseconds(end - start, Fraction(n, d)) for start, end, n, d, *_ in scenes],
            [_captions(Kind.GENERAL, ((row[4], row[5]) for row in scenes))],
        ),
        _level(
            VIDEOS,
            [_length(*row[2:]) for row in videos],
            [_captions(Kind.FULL_VIDEO, described)] if described else [],
        ),
        LeftOut(0, 0, 0),
    )


def counted_release(release: Release) -> Counted:
    """Return how the statistics of a release were made, for its files."""
    return Counted(
        name=release.project_name,
        slug=release.project.slug,
        version=release.version,
        is_simulated=release.project.is_simulated,
        at=release.created_at,
        signature=signature(release),
    )


def _length(provenance: dict[str, Any], frames: int, fps_num: int, fps_den: int) -> int:
    """Return the milliseconds of the frozen frames, else of `frames`."""
    if "frames" in provenance:
        return _milliseconds(provenance["frames"], provenance["fps"])
    return _milliseconds(frames, Fraction(fps_num, fps_den))


def _milliseconds(frames: int, fps: str | Fraction) -> int:
    return round(1000 * frames / Fraction(fps))


def _level(level: str, lengths: Sequence[int], captions: Sequence[Captions]) -> Level:
    return Level(
        level=level,
        items=len(lengths),
        total_ms=sum(lengths),
        min_ms=min(lengths, default=0),
        max_ms=max(lengths, default=0),
        bins=bin_lengths(lengths),
        captions=captions,
    )


def _captions(kind: str, texts: Texts) -> Captions:
    origins, words = Counter[str](), Counter[int]()
    for source, word_count in texts:
        origins[origin_of(source)] += 1
        words[word_count] += 1
    return Captions(str(kind), dict(origins), dict(sorted(words.items())))


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
