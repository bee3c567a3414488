"""The result of comparing a model's captions with human ones."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

VERSION = 3


@dataclass(frozen=True)
class Score:
    """A metric over all captions, from 0 to `highest`, with the 2.5th to 97.5th percentile over
    resamples of captions. `value`, or only `low` and `high`, are None if undefined, and `reason`
    says why.
    """

    value: float | None
    low: float | None
    high: float | None
    reason: str
    highest: float = 100.0


class PairCounts(NamedTuple):
    """A caption beside one human caption of its clip. `words`: of the human one. `common`: their
    longest common subsequence. `matched`: words that METEOR matches, in so many `chunks`.
    `cosines`: the sum of CIDEr-D's cosines over runs of one to four words; None without weights.
    """

    words: int
    common: int
    matched: int
    chunks: int
    cosines: float | None


@dataclass(frozen=True)
class CaptionCounts:
    """A caption of so many `words`. `runs`: its `bleu_counts`. `pairs`: one for each human caption
    of the clip, at least one.
    """

    clip: Hashable
    words: int
    runs: Sequence[int]
    pairs: Sequence[PairCounts]


@dataclass(frozen=True)
class Counted:
    """What is counted of the `captions` of a model. `missing` and `without_reference`: as those of
    CaptionOverlap.
    """

    captions: tuple[CaptionCounts, ...]
    missing: tuple[Hashable, ...]
    without_reference: tuple[Hashable, ...]


@dataclass(frozen=True)
class CaptionScores:
    """Scores of one caption: METEOR and ROUGE-L from 0 to 100, CIDEr from 0 to 1000, or None if
    undefined. BLEU-4 is defined for a corpus only, because most captions share no 4-gram.
    """

    clip: Hashable
    meteor: float
    rouge_l: float
    cider: float | None
    n_words: int


@dataclass(frozen=True)
class CaptionOverlap:
    """The overlap of a model's captions with human captions of the same clips.

    Each score is 100 times what coco-caption and CaReBench's Table 12 print: BLEU-4, METEOR and
    ROUGE-L from 0 to 100, CIDEr from 0 to 1000, as papers give it. BLEU-4 is of the corpus, the
    others are means over captions.

    `n`: clips with a model caption and a human caption. `missing`: clips without a model caption,
    which are left out, not counted as 0. `without_reference`: clips whose human captions have no
    words. `n_references`: human captions of the n clips. `mean_words`, `mean_reference_words`:
    words per caption; None without captions. `made`: how each number was computed, from `how_made`.
    """

    bleu4: Score
    meteor: Score
    rouge_l: Score
    cider: Score
    n: int
    n_references: int
    missing: tuple[Hashable, ...]
    without_reference: tuple[Hashable, ...]
    mean_words: float | None
    mean_reference_words: float | None
    captions: tuple[CaptionScores, ...] = field(repr=False)
    made: dict[str, str]
    n_bootstrap: int
    seed: int
    version: int = VERSION

    @property
    def scores(self) -> dict[str, Score]:
        """The four scores by their names in Table 12, in its order."""
        return {
            "BLEU@4": self.bleu4,
            "METEOR": self.meteor,
            "ROUGE-L": self.rouge_l,
            "CIDEr": self.cider,
        }
