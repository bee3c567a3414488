"""The overlap of model captions with human ones, from the counts of each caption."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from metrics.overlap.counts import score_counts
from metrics.overlap.result import Counted, Score

N_BOOTSTRAP = 1000
SEED = 0
# The names of Table 12, by the keys of a result.
SCORES = {"bleu4": "BLEU-4", "meteor": "METEOR", "rouge_l": "ROUGE-L", "cider": "CIDEr"}


@dataclass(frozen=True)
class Overlap:
    """Scores of `n` clips. `missing` clips have only a human caption; the human captions of
    `without_reference` clips have no word. The means are words per caption."""

    bleu4: Score
    meteor: Score
    rouge_l: Score
    cider: Score
    n: int
    missing: int
    without_reference: int
    mean_words: float | None
    mean_reference_words: float | None

    def score(self, key: str) -> Score:
        """Return the score with this key of SCORES."""
        score: Score = getattr(self, key)
        return score


def overlap_of(counted: Counted) -> Overlap:
    counts = counted.captions
    scores = score_counts(counts, N_BOOTSTRAP, SEED)
    human = [pair.words for caption in counts for pair in caption.pairs]
    return Overlap(
        bleu4=scores.bleu4,
        meteor=scores.meteor,
        rouge_l=scores.rouge_l,
        cider=scores.cider,
        n=len(counts),
        missing=len(counted.missing),
        without_reference=len(counted.without_reference),
        mean_words=fmean(caption.words for caption in counts) if counts else None,
        mean_reference_words=fmean(human) if human else None,
    )
