"""The statistics as the page and its files show them: rows of a table, and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.corpus.balance import Bin
from annotate.models import Caption
from review.display.charts import Figure, bin_words, draw_bars
from review.statistics.report import (
    CLIPS,
    CORRECTED,
    HUMAN,
    IMPORTED,
    MACHINE,
    PUBLISHED,
    REFINED,
    VERIFIED,
    VIDEOS,
    Captions,
    Level,
    Statistics,
)
from review.statistics.words import WordStatistics, sum_up

LEVELS = {CLIPS: "Clips", VIDEOS: "Whole videos"}
ORIGINS = {
    HUMAN: "Written by people",
    CORRECTED: "Machine, corrected by people",
    PUBLISHED: "Human captions of a published data set",
    VERIFIED: "Machine, verified without changes",
    REFINED: "Machine, refined above the threshold",
    MACHINE: "Machine",
    IMPORTED: "Imported",
}
KINDS = {
    Caption.Kind.GENERAL.value: "Captions of clips",
    Caption.Kind.SPATIAL.value: "Spatial captions of clips",
    Caption.Kind.TEMPORAL.value: "Temporal captions of clips",
    Caption.Kind.FULL_VIDEO.value: "Captions of whole videos",
}
MAX_LABELS = 6


@dataclass(frozen=True)
class LevelRow:
    """One level, with the words and tokens of its captions if it has any."""

    level: Level
    words: WordStatistics | None
    tokens: WordStatistics | None

    @property
    def name(self) -> str:
        return LEVELS[self.level.level]

    @property
    def mean_seconds(self) -> float | None:
        return self.level.mean_seconds

    @property
    def total_seconds(self) -> float:
        return self.level.total_ms / 1000

    @property
    def hours(self) -> float:
        return self.level.total_ms / 3_600_000

    @property
    def min_seconds(self) -> float:
        return self.level.min_ms / 1000

    @property
    def max_seconds(self) -> float:
        return self.level.max_ms / 1000


@dataclass(frozen=True)
class WordsRow:
    """The current captions of one kind: their words and tokens, and the number of each origin."""

    captions: Captions
    level: str
    words: WordStatistics
    tokens: WordStatistics | None

    @property
    def name(self) -> str:
        return KINDS[self.captions.kind]

    @property
    def is_sampled(self) -> bool:
        """Return whether tokens are counted in some of the captions only."""
        return self.tokens is not None and self.tokens.captions < self.words.captions

    @property
    def origins(self) -> list[tuple[str, int]]:
        """Return (words for an origin, captions), without origins that have none."""
        counts = self.captions.origins
        return [(ORIGINS[key], counts[key]) for key in ORIGINS if counts.get(key)]


def level_rows(statistics: Statistics) -> list[LevelRow]:
    """Return one row per level of the statistics. The words are those of the caption of the whole
    clip or video."""
    rows = []
    for level in statistics.levels:
        if level.items or level.level == CLIPS:
            first = level.captions[0] if _has_caption(level) else None
            words = _words(first) if first else None
            rows.append(LevelRow(level, words, sum_up(Counter(first.tokens)) if first else None))
    return rows


def words_rows(statistics: Statistics) -> list[WordsRow]:
    return [
        WordsRow(captions, level.level, words, sum_up(Counter(captions.tokens)))
        for level in statistics.levels
        for captions in level.captions
        if (words := _words(captions))
    ]


def figures_of(statistics: Statistics) -> list[Figure]:
    """Return the lengths and the words of each level that has any. Lengths of whole videos are left
    out where the videos are the clips."""
    are_cut = statistics.clips.items != statistics.videos.items
    figures = []
    for level in statistics.levels:
        if level.items and (level.level == CLIPS or are_cut):
            figures.append(_lengths(level))
    return figures + [_words_figure(row) for row in words_rows(statistics)]


def _has_caption(level: Level) -> bool:
    first = (Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO)
    return bool(level.captions) and level.captions[0].kind in first


def _words(captions: Captions) -> WordStatistics | None:
    return sum_up(Counter(captions.words))


def _lengths(level: Level) -> Figure:
    name = LEVELS[level.level]
    mean = level.mean_seconds or 0
    return Figure(
        f"{level.level}-seconds",
        f"{name} by seconds",
        f"{level.min_ms / 1000:.1f} to {level.max_ms / 1000:.1f} s, {mean:.1f} s on average.",
        draw_bars(
            [(str(length_bin.start), length_bin.clips) for length_bin in level.bins],
            labels=MAX_LABELS,
        ),
        ("Seconds", name),
        _filled(level.bins),
    )


def _filled(bins: Sequence[Bin]) -> list[tuple[object, ...]]:
    return [
        (f"{length_bin.start} to below {length_bin.end}", length_bin.clips)
        for length_bin in bins
        if length_bin.clips
    ]


def _words_figure(row: WordsRow) -> Figure:
    words = row.words
    bins = bin_words(Counter(row.captions.words))
    return Figure(
        f"{row.captions.kind}-words",
        f"{row.name} by words",
        f"{words.least:,} to {words.most:,} words, {words.mean:,.1f} on average.",
        draw_bars([(label.partition("–")[0], number) for label, number in bins], labels=MAX_LABELS),
        ("Words", "Captions"),
        [(label, number) for label, number in bins if number],
    )
