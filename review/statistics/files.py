"""The statistics as files: CSV and LaTeX with the table, JSON with every number."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from metrics.overlap.treebank import VERSION
from review.display.latex import RULE, UNDEFINED, escaped, latex_text, row_line, simulated
from review.display.tables import yes
from review.reports.files import FileTable
from review.reports.results import as_json
from review.statistics.report import ORIGINS, Statistics
from review.statistics.rows import level_rows, words_rows
from review.statistics.words import WordStatistics

COUNTED = (
    "A word is a run of letters, marks and digits; apostrophes and hyphens join, and Chinese and "
    "Japanese count by character."
)
TOKENS = (
    f"Tokens are those of the Penn Treebank with punctuation, as Stanford’s PTBTokenizer {VERSION} "
    "makes them for CIDEr. A model’s own tokenizer gives other numbers."
)
COLUMNS = (
    *("level", "items", "seconds_total", "seconds_mean", "seconds_min", "seconds_max"),
    *("caption_kind", "captions", "words_total", "words_mean", "words_median"),
    *("words_min", "words_max"),
    *("tokens_counted", "tokens_mean", "tokens_median", "tokens_min", "tokens_max"),
    *(f"captions_{origin}" for origin in ORIGINS),
    *("excluded_videos", "excluded_clips", "too_small_clips"),
    *("simulated", "computed_at", "signature"),
)


@dataclass(frozen=True)
class Counted:
    """A counted project or release, and how it was counted. `version`: of the release."""

    name: str
    slug: str
    version: str
    is_simulated: bool
    at: datetime
    signature: str

    @property
    def title(self) -> str:
        return f"{self.name} {self.version}".strip()

    def marked(self, text: str) -> str:
        return simulated(text, self.is_simulated)


def statistics_table(counted: Counted, statistics: Statistics) -> FileTable:
    """Return the statistics. CSV has a row for each kind of caption of each level, and one for a
    level without any; JSON has the stored statistics with their origin."""
    return FileTable(
        COLUMNS,
        _lines(counted, statistics),
        lambda: {
            "project": counted.slug,
            "release": counted.version or None,
            "simulated": counted.is_simulated,
            "computed_at": counted.at.isoformat(),
            "signature": counted.signature,
            "words": COUNTED,
            "tokens": TOKENS,
            **as_json(statistics),
        },
        latex=partial(_latex, counted, statistics),
    )


def _lines(counted: Counted, statistics: Statistics) -> list[list[Any]]:
    out = statistics.left_out
    made = [out.videos, out.clips, out.too_small, yes(counted.is_simulated)]
    made += [counted.at, counted.signature]
    words = words_rows(statistics)
    lines = []
    for row in level_rows(statistics):
        level = row.level
        lengths = [level.level, level.items, row.total_seconds, row.mean_seconds]
        lengths += [row.min_seconds, row.max_seconds]
        of_level = [word for word in words if word.level == level.level]
        for words_row in of_level:
            origins = [words_row.captions.origins.get(origin, 0) for origin in ORIGINS]
            numbers = [*_numbers(words_row.words), *_token_numbers(words_row.tokens)]
            lines.append([*lengths, words_row.captions.kind, *numbers, *origins, *made])
        if not of_level:
            lines.append([*lengths, "", 0, *[None] * 10, *[0] * len(ORIGINS), *made])
    return lines


def _numbers(words: WordStatistics) -> list[float]:
    return [words.captions, words.total, words.mean, words.median, words.least, words.most]


def _token_numbers(tokens: WordStatistics | None) -> list[float | None]:
    if tokens is None:
        return [None] * 5
    return [tokens.captions, tokens.mean, tokens.median, tokens.least, tokens.most]


def _latex(counted: Counted, statistics: Statistics) -> str:
    """Return the columns of both papers' Table 1, a row a level."""
    heads = ("Level", "Number", "Total (h)", "Mean length (s)", "Captions", "Words per caption")
    rows = [row_line(heads), RULE]
    for row in level_rows(statistics):
        words = row.words
        cells = [
            row.name,
            f"{row.level.items:,}",
            f"{row.hours:,.1f}",
            UNDEFINED if row.mean_seconds is None else f"{row.mean_seconds:,.2f}",
            f"{words.captions:,}" if words else "0",
            f"{words.mean:,.2f}" if words else UNDEFINED,
        ]
        rows.append(row_line(cells))
    return latex_text(
        counted.marked(f"Statistics of {counted.title}. {COUNTED}"),
        "lrrrrr",
        rows,
        comments=[counted.marked(escaped(counted.signature))],
        needs=r"\usepackage{booktabs}",
    )
