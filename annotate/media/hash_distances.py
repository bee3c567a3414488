"""Compare the frame hashes of videos, with numpy alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

HASHES = 8
# The hash of an empty frame; other hashes have 32 bits set.
FLAT = 0
# A copy shares at least this many non-empty frames.
MIN_FRAMES = 4

Hashes = NDArray[np.uint64]


def read_hashes(stored: Sequence[str]) -> Hashes:
    """Return rows x HASHES."""
    data = bytes.fromhex("".join(stored))
    return np.frombuffer(data, ">u8").reshape(-1, HASHES).astype(np.uint64)


def hash_distances(video: Hashes, others: Hashes) -> NDArray[np.float64]:
    """Return the mean number of different bits of 64 between the frames of a video (HASHES) and
    those of each other video (rows x HASHES); infinity if too few frames are non-empty.
    """
    shows = (video != FLAT) & (others != FLAT)
    bits = np.bitwise_count(video ^ others)
    frames = shows.sum(axis=1)
    means = (bits * shows).sum(axis=1) / np.maximum(frames, 1)
    return np.where(frames >= MIN_FRAMES, means, np.inf)
