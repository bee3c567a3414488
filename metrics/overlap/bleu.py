"""The counts of a caption for BLEU-4 of a corpus (Papineni et al. 2002), by sacrebleu."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.overlap.words import Words

SMOOTHING = "none"


def bleu_counts(prediction: Words, references: Sequence[Words]) -> list[int]:
    """Return a caption's counts for corpus BLEU, by `sacrebleu`: for n-grams of 1 to 4 words the
    matches and the total, then its length and that of the closest reference (the shorter of two),
    in words.
    """
    # Imported here: web processes import this package only for its names.
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(tokenize="none", smooth_method=SMOOTHING, force=True)
    score = metric.corpus_score([" ".join(prediction)], [[" ".join(text)] for text in references])
    return [*score.counts, *score.totals, score.sys_len, score.ref_len]
