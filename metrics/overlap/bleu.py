"""BLEU-4 of a corpus (Papineni et al. 2002), by sacrebleu."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrics.intervals import Array
from metrics.overlap.words import Words

ORDER = 4
SMOOTHING = "none"
NO_RUN = "No caption has four words, so there is no run of four to compare."


def bleu_counts(prediction: Words, references: Sequence[Words]) -> list[int]:
    """Return a caption's counts for corpus BLEU, by `sacrebleu`: for n-grams of 1 to 4 words the
    matches and the total, then its length and that of the closest reference (the shorter of two),
    in words.
    """
    # Imported late, here and below: web processes import this package only for its names.
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(tokenize="none", smooth_method=SMOOTHING, force=True)
    score = metric.corpus_score([" ".join(prediction)], [[" ".join(text)] for text in references])
    return [*score.counts, *score.totals, score.sys_len, score.ref_len]


def corpus_bleu(sums: Array) -> Array:
    """Return the BLEU-4, from 0 to 100, of each row of summed `bleu_counts`, (rows, 10); NaN if no
    caption has four words.
    """
    from sacrebleu.metrics.bleu import BLEU

    def score(row: list[int]) -> float:
        correct, total, (words, nearest) = row[:ORDER], row[ORDER:-2], row[-2:]
        if not total[-1]:
            return float("nan")
        bleu = BLEU.compute_bleu(correct, total, words, nearest, smooth_method=SMOOTHING)
        return float(bleu.score)

    return np.array([score(row) for row in sums.astype(int).tolist()])
