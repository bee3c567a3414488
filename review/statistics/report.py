"""The statistics of a project: LoVR's Table 1 and Figure 5, CaReBench's Table 1 and Figure 2.

A worker counts them, because choosing the current captions of 40,804 clips takes about a second.
Word counts are stored with each caption, so no text is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from django.db.models import Count, Max, Min, QuerySet, Sum

from annotate.corpus.balance import Bin, clip_lengths
from annotate.corpus.pieces import LeftOut, clips_in_benchmark, left_out
from annotate.corpus.precedence import current_captions
from annotate.models import Caption, CaptionRank, Clip, Project
from inference.queries import whole_videos
from review.reports.inputs import Inputs
from review.statistics.queries import corpus_state

METHOD = "statistics 1"
Kind = Caption.Kind
Source = Caption.Source
CLIPS, VIDEOS = "clips", "videos"
KINDS = {
    CLIPS: (Kind.GENERAL, Kind.SPATIAL, Kind.TEMPORAL),
    VIDEOS: (Kind.FULL_VIDEO,),
}
# Captions by source; machine captions by their state: verified, refined or other.
HUMAN, CORRECTED, PUBLISHED, IMPORTED = "human", "corrected", "published", "imported"
REFINED, VERIFIED, MACHINE = "refined", "verified", "machine"
ORIGINS = (HUMAN, CORRECTED, PUBLISHED, VERIFIED, REFINED, MACHINE, IMPORTED)
_OF_SOURCE = {
    Source.HUMAN.value: HUMAN,
    Source.MERGED.value: HUMAN,
    Source.CORRECTED.value: CORRECTED,
    Source.PUBLISHED.value: PUBLISHED,
    Source.IMPORTED.value: IMPORTED,
}
_OF_MACHINE = {
    CaptionRank.Because.REFINED.value: REFINED,
    CaptionRank.Because.VERIFIED.value: VERIFIED,
}


@dataclass(frozen=True)
class Captions:
    """The current captions of one kind. `origins`: origin -> captions; `words`: word count ->
    captions with so many words."""

    kind: str
    origins: Mapping[str, int]
    words: Mapping[int, int]


@dataclass(frozen=True)
class Level:
    """The clips or the whole videos, their lengths in milliseconds, and the captions that they
    have."""

    level: str
    items: int
    total_ms: int
    min_ms: int
    max_ms: int
    bins: Sequence[Bin]
    captions: Sequence[Captions]

    @property
    def mean_seconds(self) -> float | None:
        return self.total_ms / self.items / 1000 if self.items else None


@dataclass(frozen=True)
class Statistics:
    """What a project or a release consists of. `left_out`: what the clips and videos don't
    include."""

    clips: Level
    videos: Level
    left_out: LeftOut

    @property
    def levels(self) -> tuple[Level, Level]:
        return self.clips, self.videos


def statistics_inputs(project: Project) -> Iterator[Inputs]:
    """One report, unless the project has no clips."""
    state = corpus_state(project)
    if not state.clips:
        return
    yield Inputs(
        subject="",
        method=METHOD,
        parameters={"protocol": project.protocol},
        labels=list(asdict(state).items()),
        count=state.captions,
        compute=lambda: count_statistics(project),
    )


def count_statistics(project: Project) -> Statistics:
    return Statistics(
        _level(CLIPS, clips_in_benchmark(project)),
        _level(VIDEOS, whole_videos(project)),
        left_out(project),
    )


def _level(level: str, clips: QuerySet[Clip]) -> Level:
    clips = clips.order_by()
    lengths = clips.aggregate(
        items=Count("pk"),
        total_ms=Sum("duration_ms", default=0),
        min_ms=Min("duration_ms", default=0),
        max_ms=Max("duration_ms", default=0),
    )
    captions = [_captions(clips, kind) for kind in KINDS[level]]
    return Level(
        level=level,
        bins=clip_lengths(clips).bins,
        captions=[caption for caption in captions if caption.words],
        **lengths,
    )


def _captions(clips: QuerySet[Clip], kind: str) -> Captions:
    counts = (
        current_captions(clips, kind)
        .order_by()
        .values_list("source", "given__because", "word_count")
        .annotate(number=Count("pk"))
    )
    origins, words = Counter[str](), Counter[int]()
    for source, because, word_count, number in counts:
        origins[origin_of(source, because)] += number
        words[word_count] += number
    return Captions(kind, dict(origins), dict(sorted(words.items())))


def origin_of(source: str, because: str | None = None) -> str:
    """Return the key in ORIGINS of a caption; `because`: the reason of its rank, if it has one."""
    return _OF_SOURCE.get(source) or _OF_MACHINE.get(because or "", MACHINE)
