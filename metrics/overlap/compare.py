"""The four metrics over all captions of a model, with their intervals."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from importlib.metadata import version
from statistics import fmean

import numpy as np

from metrics.intervals import Array, percentile_interval, resampled
from metrics.overlap import bleu, cider, rouge, treebank, words
from metrics.overlap.inputs import Clip, clips_of
from metrics.overlap.meteor import meteor
from metrics.overlap.result import CaptionOverlap, CaptionScores, Score
from metrics.overlap.synonyms import Synonyms

NO_CAPTIONS = "No clip has both a caption of the model and a human one."
ONE_CLIP = (
    "CIDEr weighs words by how few clips' human captions have them; with those of one clip, or "
    "the same ones for every clip, all weights are 0."
)


def caption_overlap(
    predictions: Mapping[Hashable, str],
    references: Mapping[Hashable, Sequence[str]],
    *,
    synonyms: Synonyms | None = None,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> CaptionOverlap:
    """Compare a model's caption of each clip with the human captions of that clip, as CaReBench's
    appendix C does for its Table 12.

    `predictions` and `references` are by clip. The order of `references` is the order of the
    result, and the resamples of a seed depend on it. A model caption without a word scores 0; a
    human caption without a word is left out. With `synonyms` METEOR also matches synonyms. CIDEr's
    weights come from the human captions of all clips, so that they are the same for models that
    miss different clips; its interval treats them as fixed.

    Raises ValueError for a prediction whose id is not in `references`, for human captions given as
    a single string, for values that aren't strings, and for a negative `n_bootstrap`.
    """
    clips, without = clips_of(predictions, references)
    compared = [(clip, clip.prediction) for clip in clips if clip.prediction is not None]
    rare = cider.cider_d(clips) if compared else None
    captions = tuple(
        CaptionScores(
            clip=clip.key,
            meteor=100 * meteor(own, clip.references, synonyms),
            rouge_l=100 * rouge.rouge_l(own, clip.references),
            cider=None if rare is None else 100 * float(rare[place]),
            n_words=len(own),
        )
        for place, (clip, own) in enumerate(compared)
    )
    human = [len(text) for clip, _ in compared for text in clip.references]
    return CaptionOverlap(
        bleu4=_bleu4([clip for clip, _ in compared], n_bootstrap, seed),
        meteor=_mean([caption.meteor for caption in captions], n_bootstrap, seed),
        rouge_l=_mean([caption.rouge_l for caption in captions], n_bootstrap, seed),
        cider=_mean(
            [caption.cider for caption in captions if caption.cider is not None],
            n_bootstrap,
            seed,
            undefined=ONE_CLIP if captions else NO_CAPTIONS,
            highest=100 * cider.HIGHEST,
        ),
        n=len(captions),
        n_references=len(human),
        missing=tuple(clip.key for clip in clips if clip.prediction is None),
        without_reference=without,
        mean_words=fmean(caption.n_words for caption in captions) if captions else None,
        mean_reference_words=fmean(human) if human else None,
        captions=captions,
        made=how_made(synonyms),
        n_bootstrap=n_bootstrap,
        seed=seed,
    )


def how_made(synonyms: Synonyms | None = None) -> dict[str, str]:
    """Return how `caption_overlap` computes each number, before it does: short texts for a
    signature, without | or :.
    """
    matches = f"exact+stem+synonyms of {synonyms.name}" if synonyms else "exact+stem"
    return {
        "words": f"PTBTokenizer {treebank.VERSION},rules {words.VERSION},no punctuation",
        "bleu4": f"sacrebleu {version('sacrebleu')},corpus,smooth {bleu.SMOOTHING}",
        "meteor": f"nltk {version('nltk')},{matches}",
        "rouge_l": f"beta {rouge.BETA}",
        "cider": f"CIDEr-D,n {cider.ORDER},sigma {cider.SIGMA:g}",
    }


def _bleu4(clips: Sequence[Clip], n_bootstrap: int, seed: int) -> Score:
    if not clips:
        return Score(None, None, None, NO_CAPTIONS)
    counts = np.array(
        [bleu.bleu_counts(clip.prediction or (), clip.references) for clip in clips], dtype=float
    )
    value = float(bleu.corpus_bleu(counts.sum(axis=0, keepdims=True))[0])
    if np.isnan(value):
        return Score(None, None, None, bleu.NO_RUN)
    resamples = resampled(
        lambda times: bleu.corpus_bleu(times @ counts), len(clips), n_bootstrap, seed
    )
    return Score(value, *percentile_interval(resamples, len(clips), n_bootstrap))


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
