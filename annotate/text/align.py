"""Align the sentences of two texts that say the same."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotate.text.content import similarity
from annotate.text.spans import Timed, overlap

MIN_SIMILARITY = 0.1
"""Below this, two sentences don't pair up. Two people often share few words about one thing; a
wrong pair costs the reader a glance, but a missing pair hides where the two differ."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two aligned items by index, or an unmatched one (the other None, similarity 0)."""

    a: int | None
    b: int | None
    similarity: float


def align_sentences(a: Sequence[str], b: Sequence[str]) -> list[Pair]:
    """Pair the sentences of two texts so that the sum of similarities is greatest, in order.

    Both sides keep their order and each index occurs exactly once.
    """
    return align(len(a), len(b), lambda i, j: similarity(a[i], b[j]))


def align_timed(a: Sequence[Timed], b: Sequence[Timed]) -> list[Pair]:
    """Pair sentences as `align_sentences` does; where both have a time, the similarity is the mean
    of that of their words and the overlap of their frames."""

    def alike(i: int, j: int) -> float:
        (a_text, a_frames), (b_text, b_frames) = a[i], b[j]
        words = similarity(a_text, b_text)
        return (words + overlap(a_frames, b_frames)) / 2 if a_frames and b_frames else words

    return align(len(a), len(b), alike)


def align(size_a: int, size_b: int, alike: Callable[[int, int], float]) -> list[Pair]:
    """Align two sequences by dynamic programming; `alike(i, j)` is 0 to 1.

    Ties go to the earliest pairs; unmatched items of `a` come before those of `b`.
    """
    scores = [[alike(i, j) for j in range(size_b)] for i in range(size_a)]
    best = [[0.0] * (size_b + 1) for _ in range(size_a + 1)]
    for i in reversed(range(size_a)):
        for j in reversed(range(size_b)):
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
            if scores[i][j] >= MIN_SIMILARITY:
                best[i][j] = max(best[i][j], scores[i][j] + best[i + 1][j + 1])
    pairs = []
    i = j = 0
    while i < size_a and j < size_b:
        score = scores[i][j]
        if score >= MIN_SIMILARITY and best[i][j] == score + best[i + 1][j + 1]:
            pairs.append(Pair(i, j, score))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            pairs.append(Pair(i, None, 0.0))
            i += 1
        else:
            pairs.append(Pair(None, j, 0.0))
            j += 1
    pairs += [Pair(k, None, 0.0) for k in range(i, size_a)]
    pairs += [Pair(None, k, 0.0) for k in range(j, size_b)]
    return pairs
