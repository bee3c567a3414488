"""Student's t distribution with whole degrees of freedom, for intervals and p-values.

Abramowitz & Stegun, Handbook of Mathematical Functions, 26.7.3, 26.7.4 and 26.7.5.
"""

from __future__ import annotations

import math

Z_95 = 1.959963984540054
# From here on the expansion about the normal distribution is exact to six digits.
MANY = 30


def two_sided_p(t: float, df: int) -> float:
    """Return the probability that a t value is at least as far from 0 as `t`; `df` is
    at least 1.
    """
    angle = math.atan(abs(t) / math.sqrt(df))
    sine, cosine = math.sin(angle), math.cos(angle)
    term = cosine if df % 2 else 1.0
    total = term if df > 1 else 0.0
    for i in range(3 if df % 2 else 2, df - 1, 2):
        term *= cosine**2 * (i - 1) / i
        total += term
    inside = 2 / math.pi * (angle + sine * total) if df % 2 else sine * total
    return min(1.0, max(0.0, 1 - inside))


def bound_95(df: int) -> float:
    """Return the two-sided 95 % bound of t: 12.7 for 1 degree of freedom, 1.96 for many."""
    if df >= MANY:
        z = Z_95
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        return z + first / df + second / df**2 + third / df**3
    low, high = Z_95, 13.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided_p(middle, df) > 0.05 else (low, middle)
    return high
