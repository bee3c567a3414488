"""How much wider than a usual 95 % interval one must be to hold at all times together.

Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical
Statistics 41 (1970): if a sum of n terms with variance 1 is mixed over normal means with variance
rho^2, it stays with probability 1 - alpha at all n within

    sqrt((n + 1 / rho^2) * log((n rho^2 + 1) / alpha^2)).

Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic
confidence sequences", Annals of Statistics 52 (2024), show that it also holds, for large n, with an
estimated standard error; their equation 16 chooses rho so that the interval is narrowest at a
planned n.
"""

from __future__ import annotations

from math import log, sqrt
from statistics import NormalDist


def widening(n: float, planned: float, confidence: float = 0.95) -> float:
    """Return the half-width of the interval after `n` votes over that of an interval for a fixed
    number of votes; both are a multiple of the standard error.

    `planned`: the number of votes at which the interval is narrowest. Raises ValueError
    unless both are above 0 and 0 < confidence < 1.
    """
    if not (n > 0 and planned > 0):
        raise ValueError(f"{n} of {planned} planned votes: both must be above 0")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}; it lies between 0 and 1")
    alpha = 1 - confidence
    squared = (-2 * log(alpha) + log(1 - 2 * log(alpha))) / planned
    ratio = n * squared
    bound = sqrt((1 + 1 / ratio) * log((ratio + 1) / alpha**2))
    return bound / NormalDist().inv_cdf(1 - alpha / 2)
