"""People whose counts chance, or what others do, does not explain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from metrics.attention.exact import binomial_p, changed_more_p, holm

ALPHA = 0.05
EITHER_SIDE = 0.5
# The share of items that an attentive person may finish without watching the clip: they remember
# it, or the answer is plain from its beginning.
ALLOWED = 0.1


@dataclass(frozen=True)
class Count:
    """`count` of the `of` things that a person did."""

    person: int
    count: int
    of: int


@dataclass(frozen=True)
class Outlier:
    """A person's count, and the p-value of the test that it is usual: `p` alone, `adjusted` over
    all people tested. Both None with a `reason` where nothing can be tested.
    """

    person: int
    count: int
    of: int
    p: float | None
    adjusted: float | None
    is_marked: bool
    reason: str = ""


@dataclass(frozen=True)
class Outliers:
    """All people in the order given. `n_people`: those who were tested, over whom Holm's correction
    is made; `alpha`: the level below which somebody is marked."""

    people: tuple[Outlier, ...]
    n_people: int
    alpha: float


def position_bias(lefts: Sequence[Count], alpha: float = ALPHA) -> Outliers:
    """Mark people who choose one side too often: exact two-sided binomial test against one half.

    `lefts`: how many of a person's votes for a side are for the left one; ties are left out, and
    the sides of the captions are drawn by chance.
    """

    def test(row: Count) -> tuple[float | None, str]:
        if not row.of:
            return None, "No vote prefers a side."
        return binomial_p(row.count, row.of, EITHER_SIDE, two_sided=True), ""

    return _marked(lefts, test, alpha)


def changed_votes(changed: Sequence[Count], alpha: float = ALPHA) -> Outliers:
    """Mark people who answer their own repeats differently more often than the others: Fisher's
    exact test, one-sided, against all others together."""
    all_changed, all_repeats = sum(row.count for row in changed), sum(row.of for row in changed)

    def test(row: Count) -> tuple[float | None, str]:
        if not row.of:
            return None, "No vote was repeated yet."
        if row.of == all_repeats:
            return None, "Nobody else has repeated a vote, so there is nothing to compare with."
        return changed_more_p(row.count, row.of, all_changed - row.count, all_repeats - row.of), ""

    return _marked(changed, test, alpha)


def too_many(items: Sequence[Count], allowed: float = ALLOWED, alpha: float = ALPHA) -> Outliers:
    """Mark people with too many items of a sort, such as those finished faster than the clip can be
    watched: exact one-sided binomial test against the share `allowed`."""

    def test(row: Count) -> tuple[float | None, str]:
        if not row.of:
            return None, "No item of this kind has a time."
        return binomial_p(row.count, row.of, allowed, two_sided=False), ""

    return _marked(items, test, alpha)


def _marked(
    rows: Sequence[Count], test: Callable[[Count], tuple[float | None, str]], alpha: float
) -> Outliers:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}; it lies between 0 and 1")
    if any(not 0 <= row.count <= row.of for row in rows):
        raise ValueError("A count lies between 0 and its total.")
    results = [test(row) for row in rows]
    adjusted = iter(holm([p for p, _ in results if p is not None]))
    people = []
    for row, (p, reason) in zip(rows, results, strict=True):
        corrected = None if p is None else next(adjusted)
        is_marked = corrected is not None and corrected < alpha
        people.append(Outlier(row.person, row.count, row.of, p, corrected, is_marked, reason))
    return Outliers(tuple(people), sum(p is not None for p, _ in results), alpha)
