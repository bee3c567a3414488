"""Vectors of texts by one model. For a worker, since it loads the model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inference.backends.protocols import BackendError
from inference.loading import load_model
from inference.models import ModelSpec
from inference.registry import model_settings

TEXT_BATCH_SIZE = 64


def text_vectors(model: ModelSpec, texts: Sequence[str]) -> np.ndarray:
    """Return the (n, dimension) unit vectors of one or more texts. Raises BackendError, which names
    the text without a vector.
    """
    encoder = load_model(model_settings(model))
    vectors: list[np.ndarray] = []
    for start in range(0, len(texts), TEXT_BATCH_SIZE):
        batch = texts[start : start + TEXT_BATCH_SIZE]
        for text, vector in zip(batch, encoder.encode_texts(batch), strict=True):
            if isinstance(vector, BackendError):
                raise BackendError(vector.code, f"“{text}”: {vector}")
            vectors.append(vector)
    return np.stack(vectors)
