"""CapST and object leakage, from what was judged and counted (CaReBench, 3.4.2, appendix E)."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.capst import Sample, capst
from metrics.capst.scores import CapST
from metrics.leakage import Leakage, ObjectCounts, leakage

N_BOOTSTRAP = 1000
SEED = 0
N_MOST = 20


def score_captions(samples: Sequence[Sample], preset: str) -> CapST:
    return capst(samples, preset, n_bootstrap=N_BOOTSTRAP, seed=SEED)


def count_leakage(counts: Sequence[ObjectCounts]) -> Leakage:
    return leakage(counts, N_MOST, n_bootstrap=N_BOOTSTRAP, seed=SEED)
