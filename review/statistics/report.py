"""The statistics of a project: LoVR's Table 1 and Figure 5, CaReBench's Table 1 and Figure 2.

A worker counts them, because choosing the current captions of 40,804 clips takes about a second.
Word counts are stored with each caption; only tokens need the texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from django.db.models import Count, Max, Min, QuerySet, Sum

from annotate.corpus.balance import Bin, clip_lengths
from annotate.corpus.pieces import LeftOut, clips_in_benchmark, left_out
from annotate.corpus.precedence import current_captions
from annotate.models import Caption, CaptionRank, Clip, Project
from inference.queries import BATCH_SIZE, whole_videos
from metrics.overlap.treebank import treebank_tokens
from review.reports.inputs import Inputs
from review.reports.plain import AnyTable, Table
from review.reports.registry import ReportKind
from review.statistics import NAME
from review.statistics.queries import corpus_state

METHOD = "statistics 2"
Kind = Caption.Kind
Source = Caption.Source
CLIPS, VIDEOS = "clips", "videos"
# Words of each kind of caption whose tokens are counted: some seconds of work.
MAX_WORDS = 2_000_000
TEXT_BATCH_SIZE = 50  # texts of whole videos, which have 100,000 words each
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
    """The current captions of one kind. `origins`: origin -> captions. `words`: word count ->
    number of captions. `tokens`: the same for tokens, of evenly spaced captions if all of them have
    more than MAX_WORDS words. Releases don't have `tokens`."""

    kind: str
    origins: Mapping[str, int]
    words: Mapping[int, int]
    tokens: Mapping[int, int] = field(default_factory=dict)


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
    """The contents of a project or release. `left_out`: clips and videos that are not counted."""

    clips: Level
    videos: Level
    left_out: LeftOut

    @property
    def levels(self) -> tuple[Level, Level]:
        return self.clips, self.videos


@dataclass(frozen=True)
class StatisticsParameters:
    protocol: str


def statistics_inputs(project: Project) -> Iterator[Inputs]:
    """Yield one report, unless the project has no clips."""
    state = corpus_state(project)
    if not state.clips:
        return
    yield Inputs(
        subject="",
        method=METHOD,
        parameters=StatisticsParameters(project.protocol),
        labels=list(asdict(state).items()),
        count=state.captions,
        compute=lambda: count_statistics(project),
        tables=lambda: _tables(project),
    )


def _tables(project: Project) -> dict[str, AnyTable]:
    """Return the length of each clip and whole video, and the words of each current caption. The
    table with the origin of captions doesn't say of which clips they are, because raters can read
    a release."""
    items: list[tuple[str, int, int]] = []
    captions: list[tuple[str, str, str, int]] = []
    texts: list[tuple[int, str, str, int]] = []
    for level, clips in ((CLIPS, clips_in_benchmark(project)), (VIDEOS, whole_videos(project))):
        lengths = clips.order_by("pk").values_list("pk", "duration_ms")
        items += [(level, clip, length) for clip, length in lengths]
        for kind in KINDS[level]:
            rows = current_captions(clips.order_by(), kind).order_by("pk")
            captions += [
                (level, kind, origin_of(source, because), words)
                for source, because, words in rows.values_list(
                    "source", "given__because", "word_count"
                )
            ]
            of_kind = rows.order_by("clip").values_list("clip", "kind", "text", "word_count")
            texts += [
                (clip, kind, sha256(text.encode()).hexdigest(), words)
                for clip, kind, text, words in of_kind.iterator(chunk_size=TEXT_BATCH_SIZE)
            ]
    return {
        "items": Table(("level", "clip", "milliseconds"), items),
        "captions": Table(("level", "kind", "origin", "words"), captions),
        "texts": Table(("clip", "kind", "sha256", "words"), texts),
    }


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
    current = current_captions(clips, kind).order_by()
    counts = current.values_list("source", "given__because", "word_count").annotate(
        number=Count("pk")
    )
    origins, words = Counter[str](), Counter[int]()
    for source, because, word_count, number in counts:
        origins[origin_of(source, because)] += number
        words[word_count] += number
    return Captions(kind, dict(origins), dict(sorted(words.items())), _tokens(current, words))


def _tokens(current: QuerySet[Caption], words: Counter[int]) -> dict[int, int]:
    step = -(-sum(length * number for length, number in words.items()) // MAX_WORDS) or 1
    keys = list(current.order_by("pk").values_list("pk", flat=True))[::step]
    tokens = Counter[int]()
    for start in range(0, len(keys), BATCH_SIZE):
        texts = Caption.objects.filter(pk__in=keys[start : start + BATCH_SIZE])
        in_batch = (
            texts.order_by().values_list("text", flat=True).iterator(chunk_size=TEXT_BATCH_SIZE)
        )
        tokens.update(map(_count_tokens, in_batch))
    return dict(sorted(tokens.items()))


def _count_tokens(text: str) -> int:
    # A character that the tokenizer drops is an empty token.
    return sum(1 for line in text.splitlines() for token in treebank_tokens(line) if token)


def origin_of(source: str, because: str | None = None) -> str:
    """Return the key in ORIGINS of a caption; `because`: the reason of its rank, if it has one."""
    return _OF_SOURCE.get(source) or _OF_MACHINE.get(because or "", MACHINE)


KIND = ReportKind(NAME, "Statistics", statistics_inputs, Statistics, page="corpus/statistics")
