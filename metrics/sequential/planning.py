"""How many units make an interval of a given width."""

from __future__ import annotations

from math import ceil


def units_for_width(
    width: float, n: int, target: float, population: int | None = None
) -> int | None:
    """Return how many units in all make an interval that is `width` wide after `n` units at most
    `target` wide, if further answers differ as much as those so far.

    The width falls with the root of 1 / n, and with a finite `population` with that of 1 / n -
    1 / population (Cochran, Sampling Techniques, 3rd ed. 1977, section 4.6). None if the width
    isn't known to fall: no units, or all of them. Raises ValueError for a target of 0 or less.
    """
    if target <= 0:
        raise ValueError(f"the width to reach is {target}; it must be above 0")
    if n < 1 or width < 0 or (population is not None and population < n):
        return None
    if width <= target:
        return n
    if population is None:
        return ceil(n * (width / target) ** 2)
    if population == n:
        return None
    unseen = (1 / n - 1 / population) * (target / width) ** 2
    return min(population, ceil(1 / (unseen + 1 / population)))
