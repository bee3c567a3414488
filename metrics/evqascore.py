"""EVQAScore: how well a caption fits a video, without a reference text.

LoVR (section 3.2.2 and appendix B.2) keeps machine captions whose EVQAScore is above 0.2 and
refines the others, but gives no formula, and two incompatible metrics have this name:

- `evqascore`: "v3", of the repository YqjMartin/EVQAScore, in the range of a cosine;
- `evqascore_v1`: v1 and v2, of studymakesmehappyy/EVQAScore, multiplied by ln(n + 1), unbounded.

The threshold 0.2 makes sense only in the range of the first. Neither is comparable between
encoders, frame intervals or sources of keywords: store these, the variant and VERSION with every
score.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

VERSION = 1
"""Grows with each change of this module that changes a score."""

UNIT_TOLERANCE = 1e-3
"""The allowed deviation of a vector's length from 1: float16 and bfloat16 encoders aren't more
exact.
"""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EvqaScore:
    """A score and its parts, all without unit.

    `score`: mean of `fine` and `coarse`. `fine`: harmonic mean of `precision` and `recall`,
    multiplied by ln(n_keywords + 1) in "v1". `precision`: mean over keywords of the best cosine
    with a frame. `recall`: mean over frames of the best cosine with a keyword. `coarse`: cosine of
    video and caption. `n_frames`: number of visual vectors, of frames or regions. `guarded`:
    whether `fine` was set to 0 because precision or recall was not above 0.
    """

    score: float
    fine: float
    coarse: float
    precision: float
    recall: float
    n_frames: int
    n_keywords: int
    variant: Literal["v3", "v1"]
    guarded: bool


def evqascore(
    local: ArrayLike, keywords: ArrayLike, frame_mean: ArrayLike, caption: ArrayLike
) -> EvqaScore:
    """Return the EVQAScore of LoVR's threshold ("v3"), from -0.5 to 1, in practice 0.1 to 0.4.

    All inputs are unit vectors of one encoder with d dimensions. `local`: (n, d), regions of the
    frames, or whole frames if no regions are known. `keywords`: (k, d), one per keyword or phrase.
    `frame_mean`: (d,), `mean_direction` of the frames. `caption`: (d,), the whole caption.

    Differences from the released code: there, a precision or recall at or below 0 gives an erratic
    harmonic mean (0.2 and -0.1 give -0.4, 0.2 and -0.3 give 1.2); here it gives 0, and `guarded` is
    set. The released code reads every 30th frame, crops regions by YOLO and cuts a caption at 77
    tokens, so that the coarse half covers only the start of LoVR's captions of over 1,000 tokens;
    here the caller decides all this. LoVR leaves open what happens to a caption exactly at the
    threshold ("above" is kept, "below" is sent back).

    Raises ValueError for an empty input, for vectors that aren't of unit length (tolerance
    UNIT_TOLERANCE) or differ in dimension, and for numbers that aren't finite.
    """
    regions, words, video, text = _checked(
        local=local, keywords=keywords, frame_mean=frame_mean, caption=caption
    )
    return _score(regions, words, video, text, n_keywords=len(words), weight=1.0, variant="v3")


def evqascore_v1(
    *,
    token_vectors: ArrayLike,
    frames: ArrayLike,
    frame_mean: ArrayLike,
    caption: ArrayLike,
    n_keywords: int,
) -> EvqaScore:
    """Return the EVQAScore of v1 and v2, which is not bounded by 1: never compare it with 0.2.

    `token_vectors`: (t, d), one unit vector per token, including start and end, of the
    comma-separated keywords encoded as one text. `frames`: (n, d). `frame_mean`: (d,),
    `mean_direction` of the frames. `caption`: (d,). `n_keywords`: how many keywords the text names,
    at least 1; the fine half is multiplied by ln(n_keywords + 1), 2.40 for ten of them.

    Differences from the released code: there, the frame filter is meant to read one frame in ten
    but keeps the other nine, and the keywords are counted under the wrong key (a KeyError); a
    precision or recall at or below 0 is not guarded. Raises ValueError as `evqascore` does.
    """
    if n_keywords < 1:
        raise ValueError(f"n_keywords is {n_keywords}; a text of keywords names at least 1")
    tokens, pictures, video, text = _checked(
        token_vectors=token_vectors, frames=frames, frame_mean=frame_mean, caption=caption
    )
    weight = math.log(n_keywords + 1)
    return _score(pictures, tokens, video, text, n_keywords, weight=weight, variant="v1")


def mean_direction(vectors: ArrayLike) -> Array:
    """Return the mean of unit vectors, (n, d), scaled to unit length, (d,).

    Raises ValueError as `evqascore` does, and if the vectors cancel out.
    """
    mean: Array = _unit("vectors", vectors, ndim=2).mean(axis=0)
    length = float(np.linalg.norm(mean))
    if length < 1e-9:
        raise ValueError("vectors cancel out: their mean has no direction")
    return mean / length


def _score(
    pictures: Array,
    words: Array,
    video: Array,
    text: Array,
    n_keywords: int,
    weight: float,
    variant: Literal["v3", "v1"],
) -> EvqaScore:
    # Rounding can raise the cosine of two equal vectors above 1.
    cosines = np.clip(pictures @ words.T, -1.0, 1.0)
    precision = float(cosines.max(axis=0).mean())
    recall = float(cosines.max(axis=1).mean())
    coarse = float(np.clip(video @ text, -1.0, 1.0))
    guarded = precision <= 0 or recall <= 0
    fine = 0.0 if guarded else weight * 2 * precision * recall / (precision + recall)
    return EvqaScore(
        score=(fine + coarse) / 2,
        fine=fine,
        coarse=coarse,
        precision=precision,
        recall=recall,
        n_frames=len(pictures),
        n_keywords=n_keywords,
        variant=variant,
        guarded=guarded,
    )


def _checked(**named: ArrayLike) -> list[Array]:
    """Return the four inputs as float64: two of shape (n, d), then two of shape (d,)."""
    checked = [
        _unit(name, vectors, ndim=ndim)
        for (name, vectors), ndim in zip(named.items(), (2, 2, 1, 1), strict=True)
    ]
    if len({vectors.shape[-1] for vectors in checked}) > 1:
        sizes = ", ".join(
            f"{name} {vectors.shape[-1]}" for name, vectors in zip(named, checked, strict=True)
        )
        raise ValueError(f"the vectors differ in dimension ({sizes}): encode all by one model")
    return checked


def _unit(name: str, vectors: ArrayLike, *, ndim: int) -> Array:
    array: Array = np.asarray(vectors, dtype=np.float64)
    if array.size == 0:
        raise ValueError(f"{name} is empty; give at least one vector")
    if array.ndim != ndim:
        shape = "rows of vectors" if ndim == 2 else "one vector"
        raise ValueError(f"{name} has the shape {array.shape}; give {shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinity: encode it again")
    lengths = np.linalg.norm(array, axis=-1, keepdims=True)
    worst = float(lengths.flat[np.abs(lengths - 1).argmax()])
    if abs(worst - 1) > UNIT_TOLERANCE:
        raise ValueError(f"{name} has a vector of length {worst:.4g}: divide each by its length")
    scaled: Array = array / lengths
    return scaled
