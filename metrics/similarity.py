"""Similarity of two sets or of two token sequences."""

from collections.abc import Collection, Sequence


def jaccard(a: Collection[str], b: Collection[str]) -> float | None:
    """Return |A ∩ B| / |A ∪ B| of the distinct items, from 0 (nothing shared) to 1 (equal).

    None if both are empty. Raises TypeError for a string, which would be compared letter by letter.
    """
    if isinstance(a, str) or isinstance(b, str):
        raise TypeError("jaccard compares collections of strings, not the letters of a string")
    first, second = set(a), set(b)
    union = first | second
    return len(first & second) / len(union) if union else None


def shingle_similarity(
    text_tokens_a: Sequence[str], text_tokens_b: Sequence[str], n: int = 3
) -> float | None:
    """Return the Jaccard index of the distinct runs of `n` tokens (Broder 1997), from 0 to 1.

    None if either text has fewer than `n` tokens. Raises ValueError for n < 1.
    """
    if n < 1:
        raise ValueError(f"n is {n}; a shingle has at least 1 token")
    first, second = _shingles(text_tokens_a, n), _shingles(text_tokens_b, n)
    if not first or not second:
        return None
    return len(first & second) / len(first | second)


def _shingles(tokens: Sequence[str], n: int) -> set[tuple[str, ...]]:
    return {tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)}
