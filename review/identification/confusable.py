"""The clips that a text is most easily confused with: those with the most similar texts. Pure."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from inference.backends.lexical import LexicalEncoder
from inference.backends.protocols import BackendError


def confusable_clips(texts: Mapping[int, str], most: int) -> dict[int, list[int]]:
    """Return, for each clip, the clip itself and the `most` others with the most similar texts,
    most similar first, ties by key.

    `texts`: clip -> its text of one kind, of one subcategory. Similarity is the cosine of hashed
    word vectors, so shared words count and meaning doesn't.
    """
    encoder = LexicalEncoder()
    clips = sorted(texts)
    empty = np.zeros(encoder.dimension, dtype=np.float32)
    encoded = encoder.encode_texts([texts[clip] for clip in clips])
    vectors = np.stack(
        [empty if isinstance(vector, BackendError) else vector for vector in encoded]
    )
    likeness = vectors @ vectors.T
    np.fill_diagonal(likeness, -np.inf)
    number = min(most, len(clips) - 1)
    nearest = (np.lexsort((clips, -row))[:number] for row in likeness)
    return {
        clip: [clip, *(clips[place] for place in places)]
        for clip, places in zip(clips, nearest, strict=True)
    }
