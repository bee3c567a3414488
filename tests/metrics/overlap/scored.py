"""Each metric alone, from texts to scores, as `caption_overlap` computes it."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.overlap.cider import cosine_sums
from metrics.overlap.counts import BETA, cider_of, meteor_of, rouge_l_of
from metrics.overlap.inputs import Clip
from metrics.overlap.meteor import align
from metrics.overlap.result import CaptionCounts, PairCounts
from metrics.overlap.rouge import lcs_length
from metrics.overlap.words import Words


def meteor(prediction: Words, references: Sequence[Words]) -> float:
    return max(
        meteor_of(len(prediction), PairCounts(len(text), 0, *align(prediction, text), None))
        for text in references
    )


def rouge_l(prediction: Words, references: Sequence[Words], beta: float = BETA) -> float:
    pairs = [PairCounts(len(text), lcs_length(text, prediction), 0, 0, None) for text in references]
    return rouge_l_of(len(prediction), pairs, beta)


def cider_d(clips: Sequence[Clip]) -> list[float] | None:
    sums = cosine_sums(clips)
    if sums is None:
        return None
    scores = []
    compared = [(clip, clip.prediction) for clip in clips if clip.prediction is not None]
    for (clip, own), cosines in zip(compared, sums, strict=True):
        pairs = [
            PairCounts(len(text), 0, 0, 0, cosine)
            for text, cosine in zip(clip.references, cosines, strict=True)
        ]
        scores.append(cider_of(CaptionCounts(clip.key, len(own), (), pairs)) or 0.0)
    return scores
