"""Hashed word vectors of texts: a dual encoder without weights that never looks at pictures.

A clip and a frame are represented by their measured draft (opencv_draft), so two clips are near if
the same words describe them. Two texts are near if they share words, not because they mean the
same. Use it to try a project without a download, not to judge captions.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from annotate.text.content import normal_form, stem
from annotate.text.lexicon import FUNCTION_WORDS
from inference.backends.protocols import (
    BackendError,
    CaptionRequest,
    ClipFrames,
    Generation,
    ModelSettings,
    Vectors,
)
from inference.keywords import PLAIN_WORD

DIMENSION, MINIMUM, MAXIMUM = 512, 64, 8192

# These weights replace document frequencies, which a single text doesn't have.
CONTENT, PAIR, FUNCTION = 1.0, 0.5, 0.1


def load(settings: ModelSettings) -> LexicalEncoder:
    """Return the encoder; its only parameter is `dimension`, MINIMUM to MAXIMUM."""
    unknown = sorted(set(settings.parameters) - {"dimension"})
    if unknown:
        raise BackendError(
            "bad_setting",
            f"The lexical encoder has no setting {', '.join(unknown)}. Its one setting is "
            "dimension: remove the others.",
        )
    return LexicalEncoder(settings.parameters.get("dimension", DIMENSION))


class LexicalEncoder:
    """Encodes texts as unit float32 vectors of hashed words, the same on every machine.

    A text's features are the stems of its words and of pairs of neighboring content words. A hash
    gives each feature its index in the vector and its sign (feature hashing, Weinberger et al.
    2009). Its weight is 1 + ln(count) times CONTENT, PAIR or FUNCTION.
    """

    def __init__(self, dimension: int = DIMENSION) -> None:
        whole = isinstance(dimension, int) and not isinstance(dimension, bool)
        if not whole or not MINIMUM <= dimension <= MAXIMUM:
            raise BackendError(
                "bad_setting",
                f"dimension is {dimension!r}: set a whole number from {MINIMUM} to {MAXIMUM}.",
            )
        self.dimension = dimension

    def encode_frames(self, clip: ClipFrames) -> Vectors:
        """Return (n, dimension): each frame by what is measured in it."""
        # Import here, because a worker without OpenCV can still encode texts.
        from inference.backends.opencv_draft import describe_frame

        return np.stack([self._encode(describe_frame(frame)) for frame in clip.frames])

    def encode_clips(self, clips: Sequence[ClipFrames]) -> list[Vectors | BackendError]:
        """Encode each clip by its measured draft, including motion and shots."""
        from inference.backends.opencv_draft import OpenCVDraft

        requests = [CaptionRequest(clip, prompt="") for clip in clips]
        drafts = OpenCVDraft().caption(requests, Generation())
        return [
            draft if isinstance(draft, BackendError) else self._attempt(draft) for draft in drafts
        ]

    def encode_texts(self, texts: Sequence[str]) -> list[Vectors | BackendError]:
        """Encode each text by its words; a text without words gets the error "no_words"."""
        return [self._attempt(text) for text in texts]

    def _attempt(self, text: str) -> Vectors | BackendError:
        try:
            return self._encode(text)
        except BackendError as error:
            return error

    def _encode(self, text: str) -> Vectors:
        weights = _features(text)
        if not weights:
            raise BackendError("no_words", "The text has no words to make a vector of: write some.")
        vector = np.zeros(self.dimension)
        for feature, weight in weights.items():
            number = _hash(feature)
            vector[(number >> 1) % self.dimension] += weight if number & 1 else -weight
        length = float(np.linalg.norm(vector))
        if not length:
            raise BackendError(
                "words_cancel_out",
                f"The words of the text cancel out in {self.dimension} numbers: "
                "set another dimension.",
            )
        return (vector / length).astype(np.float32)


def _features(text: str) -> dict[str, float]:
    words = [normal_form(word) for word in PLAIN_WORD.findall(text)]
    content = [stem(word) for word in words if word not in FUNCTION_WORDS]
    counted = (
        ("function", FUNCTION, (word for word in words if word in FUNCTION_WORDS)),
        ("content", CONTENT, content),
        ("pair", PAIR, (f"{word} {next_word}" for word, next_word in pairwise(content))),
    )
    return {
        f"{kind} {feature}": weight * (1 + math.log(count))
        for kind, weight, features in counted
        for feature, count in Counter(features).items()
    }


@lru_cache(maxsize=50_000)
def _hash(feature: str) -> int:
    """Return a hash that, unlike hash(), is the same in every process."""
    return int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest())
