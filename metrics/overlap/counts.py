"""The four metrics from what was counted of each caption: no text, no package beside numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from statistics import fmean

import numpy as np

from metrics.intervals import Array, percentile_interval, resampled
from metrics.overlap.result import CaptionCounts, CaptionScores, PairCounts, Score

ORDER = 4
BETA = 1.2
ALPHA, GAMMA, EXPONENT = 0.9, 0.5, 3
SIGMA = 6.0
HIGHEST = 10.0
NO_CAPTIONS = "No clip has both a caption of the model and a human one."
NO_RUN = "No caption is four words long, so no four-word sequences can be compared."
ONE_CLIP = (
    "CIDEr weighs words by how few clips' human captions have them; with those of one clip, or "
    "the same ones for every clip, all weights are 0."
)


@dataclass(frozen=True)
class FourScores:
    """`captions`: the scores of each caption."""

    bleu4: Score
    meteor: Score
    rouge_l: Score
    cider: Score
    captions: tuple[CaptionScores, ...]


def score_counts(counts: Sequence[CaptionCounts], n_bootstrap: int, seed: int) -> FourScores:
    """Return the four scores over all captions. The resamples depend on the order of `counts`."""
    captions = tuple(map(_caption_scores, counts))
    return FourScores(
        bleu4=_bleu4(counts, n_bootstrap, seed),
        meteor=_mean([caption.meteor for caption in captions], n_bootstrap, seed),
        rouge_l=_mean([caption.rouge_l for caption in captions], n_bootstrap, seed),
        cider=_mean(
            [caption.cider for caption in captions if caption.cider is not None],
            n_bootstrap,
            seed,
            undefined=ONE_CLIP if captions else NO_CAPTIONS,
            highest=100 * HIGHEST,
        ),
        captions=captions,
    )


def _caption_scores(counts: CaptionCounts) -> CaptionScores:
    cider = cider_of(counts)
    return CaptionScores(
        clip=counts.clip,
        meteor=100 * max(meteor_of(counts.words, pair) for pair in counts.pairs),
        rouge_l=100 * rouge_l_of(counts.words, counts.pairs),
        cider=None if cider is None else 100 * cider,
        n_words=counts.words,
    )


def corpus_bleu(sums: Array) -> Array:
    """Return the BLEU-4, from 0 to 100, of each row of summed `bleu_counts`, (rows, 10), not
    smoothed; NaN if no caption has four words.
    """
    matches, totals = sums[:, :ORDER], sums[:, ORDER : 2 * ORDER]
    words, nearest = sums[:, -2], sums[:, -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        geometric = np.exp(np.log(matches / totals).mean(axis=1))
        brevity = np.where(words < nearest, np.exp(1 - nearest / words), 1.0)
    bleu: Array = np.where(totals[:, -1] > 0, 100 * brevity * geometric, np.nan)
    return bleu


def meteor_of(words: int, pair: PairCounts) -> float:
    """Return the METEOR of a caption of so many words with one human caption, 0 to 1."""
    if not pair.matched:
        return 0.0
    precision, recall = pair.matched / words, pair.matched / pair.words
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    return (1 - GAMMA * (pair.chunks / pair.matched) ** EXPONENT) * mean


def rouge_l_of(words: int, pairs: Sequence[PairCounts], beta: float = BETA) -> float:
    """Return the F-measure of the longest common subsequence, 0 to 1; `beta` above 1 favors recall.

    With several human captions the best precision and the best recall count, as in coco-caption. A
    caption without words scores 0.
    """
    if not words:
        return 0.0
    precision = max(pair.common for pair in pairs) / words
    recall = max(pair.common / pair.words for pair in pairs)
    below = recall + beta**2 * precision
    return (1 + beta**2) * precision * recall / below if below else 0.0


def cider_of(counts: CaptionCounts) -> float | None:
    """Return the CIDEr-D of a caption, from 0 to 10, None without weights: the mean over the human
    captions of the mean cosine, times exp(-(difference in words)² / 72).
    """
    scores = [
        HIGHEST / ORDER * pair.cosines * exp(-((counts.words - pair.words) ** 2) / (2 * SIGMA**2))
        for pair in counts.pairs
        if pair.cosines is not None
    ]
    return fmean(scores) if scores else None


def _bleu4(counts: Sequence[CaptionCounts], n_bootstrap: int, seed: int) -> Score:
    if not counts:
        return Score(None, None, None, NO_CAPTIONS)
    runs = np.array([caption.runs for caption in counts], dtype=float)
    value = float(corpus_bleu(runs.sum(axis=0, keepdims=True))[0])
    if np.isnan(value):
        return Score(None, None, None, NO_RUN)
    resamples = resampled(lambda times: corpus_bleu(times @ runs), len(runs), n_bootstrap, seed)
    return Score(value, *percentile_interval(resamples, len(runs), n_bootstrap))


def _mean(
    scores: Sequence[float],
    n_bootstrap: int,
    seed: int,
    *,
    undefined: str = NO_CAPTIONS,
    highest: float = 100.0,
) -> Score:
    if not scores:
        return Score(None, None, None, undefined, highest)
    values, n = np.array(scores), len(scores)

    def mean(times: Array) -> Array:
        means: Array = times @ values / n
        return means

    resamples = resampled(mean, n, n_bootstrap, seed)
    return Score(fmean(scores), *percentile_interval(resamples, n, n_bootstrap), highest)
