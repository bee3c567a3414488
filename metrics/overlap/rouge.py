"""ROUGE-L of a caption (Lin 2004), with coco-caption's beta.

The longest common subsequence is computed bit-parallel, many cells at a time: the package
rouge-score, which the tests compare with, takes 11 s and 200 MB for two texts of 5,000 words.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics.overlap.words import Words

BETA = 1.2


def rouge_l(prediction: Words, references: Sequence[Words], beta: float = BETA) -> float:
    """Return the F-measure of the longest common subsequence, 0 to 1; `beta` above 1 favors recall.

    With several references the best precision and the best recall count, as in coco-caption. Every
    reference must have words; a prediction without words scores 0.
    """
    if not prediction:
        return 0.0
    common = [lcs_length(reference, prediction) for reference in references]
    precision = max(common) / len(prediction)
    recall = max(n / len(text) for n, text in zip(common, references, strict=True))
    below = recall + beta**2 * precision
    return (1 + beta**2) * precision * recall / below if below else 0.0


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
