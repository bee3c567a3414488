"""A few looks at the data that are planned in advance, each with a narrower error.

For estimates that have no standard error, such as the best split of scores. The intervals of all
looks hold together with 95 % if each alone misses with at most 5 % over the number of looks, by
Bonferroni's inequality. Pocock (Biometrika 64, 1977) and O'Brien and Fleming (Biometrics 35, 1979)
use how strongly the looks depend on each other and are narrower, but only for estimates that are
sums of independent terms.
"""

from __future__ import annotations

from dataclasses import dataclass

MAX_LOOKS = 20


@dataclass(frozen=True)
class Looks:
    """`after`: the numbers of units at which one looks; the last is the planned size."""

    after: tuple[int, ...]

    def reached(self, n: int) -> int | None:
        """Return the last planned look that `n` units allow, None before the first."""
        return max((look for look in self.after if look <= n), default=None)


def planned_looks(size: int, looks: int, least: int = 1) -> Looks:
    """Return `looks` evenly spaced looks up to `size` units, without those below `least`. Raises
    ValueError for no look, too many, or a size below `least`.
    """
    if not 1 <= looks <= MAX_LOOKS:
        raise ValueError(f"plan 1 to {MAX_LOOKS} looks, not {looks}")
    if size < max(least, 1):
        raise ValueError(f"{size} units are fewer than the {least} of the first look")
    after = {-(-size * look // looks) for look in range(1, looks + 1)}
    return Looks(tuple(sorted(number for number in after if number >= least)))


def level_of_each_look(error: float, looks: int) -> float:
    """Return the probability with which the interval of one look may miss, so that those of all
    looks together miss with at most `error`.
    """
    if not 0 < error < 1 or not 1 <= looks <= MAX_LOOKS:
        raise ValueError(f"an error of {error} can't be divided among {looks} looks")
    return error / looks
