"""CapST from judged lists (CaReBench, 3.4.2)."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.capst import Sample, capst
from metrics.capst.scores import CapST

N_BOOTSTRAP = 1000
SEED = 0


def score_captions(samples: Sequence[Sample], preset: str) -> CapST:
    return capst(samples, preset, n_bootstrap=N_BOOTSTRAP, seed=SEED)
