"""CIDEr-D of captions (Vedantam, Zitnick and Parikh 2015, section 5), as coco-caption computes it.

No package offers it without Java and a download of 100 MB. Here n-grams are numbers, and all
captions are counted at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.intervals import Array
from metrics.overlap.counts import ORDER
from metrics.overlap.inputs import Clip
from metrics.overlap.words import Words

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Each prediction with each of its clip's references, as indices of texts; references come
    first. `clip`: (pairs,), the clip's index among the clips with a prediction.
    """

    prediction: Codes
    reference: Codes
    clip: Codes


def cosine_sums(clips: Sequence[Clip]) -> list[list[float]] | None:
    """Return for each clip with a prediction, in their order, and each of its references the sum of
    their cosines over the four lengths of n-grams, with counts clipped to those of the reference.

    The weight of an n-gram of 1 to 4 words is log(clips / clips whose references have it), over all
    `clips`, with a prediction or not. A text of fewer than four words has no 4-gram, which counts
    as 0.

    None if no n-gram has a weight: fewer than two clips, or all with the same n-grams.
    """
    texts = [words for clip in clips for words in clip.references]
    clip_of_reference = np.repeat(np.arange(len(clips)), [len(clip.references) for clip in clips])
    pairs = _pairs(clips, len(texts))
    texts += [clip.prediction for clip in clips if clip.prediction is not None]

    cosines, weighed = np.zeros(len(pairs.clip)), False
    for code, text in _runs(texts):
        n_codes = int(code.max(initial=-1)) + 1
        key, times = np.unique(text * n_codes + code, return_counts=True)
        key_text, key_code = np.divmod(key, max(n_codes, 1))
        in_reference = key_text < len(clip_of_reference)
        clip_of_key = clip_of_reference[key_text[in_reference]]
        held = np.unique(clip_of_key * n_codes + key_code[in_reference]) % max(n_codes, 1)
        n_holding = np.bincount(held, minlength=n_codes)
        rarity = np.log(len(clips)) - np.log(np.maximum(n_holding, 1))
        weighed = weighed or bool((rarity[n_holding > 0] > 0).any())
        cosines += _cosines(key, key_text, n_codes, times * rarity[key_code], pairs, len(texts))
    if not weighed:
        return None
    ends = np.flatnonzero(np.diff(pairs.clip)) + 1
    return [sums.tolist() for sums in np.split(cosines, ends)]


def _pairs(clips: Sequence[Clip], n_references: int) -> _Pairs:
    sizes = np.array([len(clip.references) for clip in clips], dtype=np.int64)
    predicted = np.array([clip.prediction is not None for clip in clips], dtype=bool)
    clip = np.repeat(np.arange(predicted.sum()), sizes[predicted])
    reference = np.flatnonzero(np.repeat(predicted, sizes))
    return _Pairs(n_references + clip, reference, clip)


def _runs(texts: Sequence[Words]) -> Iterator[tuple[Codes, Codes]]:
    """Yield, for n from 1 to 4, the number of each n-gram, from 0 without gaps, and the index of
    its text, in increasing order.
    """
    numbers: dict[str, int] = {}
    word = np.array(
        [numbers.setdefault(word, len(numbers)) for words in texts for word in words],
        dtype=np.int64,
    )
    text = np.repeat(np.arange(len(texts)), [len(words) for words in texts])
    start, code = np.arange(len(word)), word
    for length in range(1, ORDER + 1):
        if length > 1:
            end = start + length - 1
            inside = end < len(word)
            inside[inside] = text[start[inside]] == text[end[inside]]
            start, end = start[inside], end[inside]
            longer = code[inside] * len(numbers) + word[end]
            code = np.unique(longer, return_inverse=True)[1]
        yield code, text[start]


def _cosines(
    key: Codes, key_text: Codes, n_codes: int, weight: Array, pairs: _Pairs, n_texts: int
) -> Array:
    """Return for each pair the sum of min(weights) times the reference's weight, divided by both
    norms; 0 if a norm is 0. `key`: increasing, a number for each text and n-gram; `weight`: one per
    key.
    """
    length = np.sqrt(np.bincount(key_text, weight**2, minlength=n_texts))
    first = np.searchsorted(key_text, np.arange(n_texts + 1))
    n_runs = np.diff(first)[pairs.prediction]
    pair = np.repeat(np.arange(len(n_runs)), n_runs)
    offset = np.arange(len(pair)) - np.repeat(np.cumsum(n_runs) - n_runs, n_runs)
    own = first[pairs.prediction][pair] + offset
    keys = key[own] + (pairs.reference - pairs.prediction)[pair] * n_codes
    other = np.searchsorted(key, keys)
    # A reference's keys come before any prediction's, so `other` is always an index of `key`.
    same = key[other] == keys
    own, other = own[same], other[same]
    shared = np.minimum(weight[own], weight[other]) * weight[other]
    sums = np.bincount(pair[same], shared, minlength=len(n_runs))
    lengths = length[pairs.prediction] * length[pairs.reference]
    cosines: Array = np.divide(sums, lengths, out=np.zeros(len(sums)), where=lengths > 0)
    return cosines
