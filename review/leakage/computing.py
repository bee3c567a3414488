"""Object leakage from counts (CaReBench, appendix E)."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.leakage import Leakage, ObjectCounts, leakage

N_BOOTSTRAP = 1000
SEED = 0
N_MOST = 20


def count_leakage(counts: Sequence[ObjectCounts]) -> Leakage:
    return leakage(counts, N_MOST, n_bootstrap=N_BOOTSTRAP, seed=SEED)
