"""The four metrics over all captions of a model, with their intervals."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from importlib.metadata import version
from statistics import fmean

from metrics.overlap import bleu, cider, rouge
from metrics.overlap.counts import (
    BETA,
    ORDER,
    SIGMA,
    score_counts,
)
from metrics.overlap.inputs import clips_of
from metrics.overlap.meteor import align
from metrics.overlap.result import CaptionCounts, CaptionOverlap, Counted, PairCounts
from metrics.overlap.synonyms import Synonyms
from metrics.overlap.words import PTB, tokenizer_signature


def caption_overlap(
    predictions: Mapping[Hashable, str],
    references: Mapping[Hashable, Sequence[str]],
    *,
    synonyms: Synonyms | None = None,
    tokenizer: str = PTB,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> CaptionOverlap:
    """Compare a model's caption of each clip with the human captions of that clip, as CaReBench's
    appendix C does for its Table 12.

    `predictions` and `references` are by clip. The order of `references` is the order of the
    result, and the resamples of a seed depend on it. A model caption without a word scores 0; a
    human caption without a word is left out. `tokenizer`: the one that `tokenizer_for` returns for
    the human captions, since PTB takes a sentence without spaces as one word. With `synonyms`
    METEOR also matches synonyms. CIDEr's weights come from the human captions of all clips, so that
    they are the same for models that miss different clips; its interval treats them as fixed.

    Raises ValueError for a prediction whose id is not in `references`, for human captions given as
    a single string, for values that aren't strings, and for a negative `n_bootstrap`.
    """
    counted = count_captions(predictions, references, synonyms, tokenizer)
    counts = counted.captions
    scores = score_counts(counts, n_bootstrap, seed)
    human = [pair.words for caption in counts for pair in caption.pairs]
    return CaptionOverlap(
        bleu4=scores.bleu4,
        meteor=scores.meteor,
        rouge_l=scores.rouge_l,
        cider=scores.cider,
        n=len(counts),
        n_references=len(human),
        missing=counted.missing,
        without_reference=counted.without_reference,
        mean_words=fmean(caption.words for caption in counts) if counts else None,
        mean_reference_words=fmean(human) if human else None,
        captions=scores.captions,
        made=how_made(synonyms, tokenizer),
        n_bootstrap=n_bootstrap,
        seed=seed,
    )


def count_captions(
    predictions: Mapping[Hashable, str],
    references: Mapping[Hashable, Sequence[str]],
    synonyms: Synonyms | None = None,
    tokenizer: str = PTB,
) -> Counted:
    """Return what the four metrics count, with the arguments and errors of `caption_overlap`."""
    clips, without = clips_of(predictions, references, tokenizer)
    compared = [clip for clip in clips if clip.prediction is not None]
    missing = tuple(clip.key for clip in clips if clip.prediction is None)
    cosines = cider.cosine_sums(clips) if compared else None
    counts = []
    for place, clip in enumerate(compared):
        own = clip.prediction or ()
        sums = cosines[place] if cosines else [None] * len(clip.references)
        pairs = [
            PairCounts(len(text), rouge.lcs_length(text, own), *align(own, text, synonyms), cosine)
            for text, cosine in zip(clip.references, sums, strict=True)
        ]
        counts.append(
            CaptionCounts(clip.key, len(own), bleu.bleu_counts(own, clip.references), pairs)
        )
    return Counted(tuple(counts), missing, without)


def how_made(synonyms: Synonyms | None = None, tokenizer: str = PTB) -> dict[str, str]:
    """Return how `caption_overlap` computes each number, before it does: short texts for a
    signature, without | or :.
    """
    matches = f"exact+stem+synonyms of {synonyms.name}" if synonyms else "exact+stem"
    return {
        "words": tokenizer_signature(tokenizer),
        "bleu4": f"sacrebleu {version('sacrebleu')},corpus,smooth {bleu.SMOOTHING}",
        "meteor": f"nltk {version('nltk')},{matches}",
        "rouge_l": f"beta {BETA}",
        "cider": f"CIDEr-D,n {ORDER},sigma {SIGMA:g}",
    }
