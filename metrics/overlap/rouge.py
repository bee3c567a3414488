"""The longest common subsequence of two captions, for ROUGE-L (Lin 2004).

It is computed bit-parallel, many cells at a time: the package
rouge-score, which the tests compare with, takes 11 s and 200 MB for two texts of 5,000 words.
"""

from __future__ import annotations

from collections.abc import Sequence


def lcs_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of `a` and `b`, in words (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for place, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << place
    everywhere = (1 << len(a)) - 1
    # A bit is 0 where the table's column increases, so the number of zeros at the end is the
    # length.
    level = everywhere
    for word in b:
        same = level & places.get(word, 0)
        level = (level + same | level - same) & everywhere
    return len(a) - level.bit_count()
