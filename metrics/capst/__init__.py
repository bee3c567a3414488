"""CapST: how well machine captions describe events and objects (CaReBench, section 3.4.2).

A language model extracts the elements (events, objects) of the reference and of the prediction, and
judges each element against the other text. Its answers give:

    recall     share of the reference's elements that the prediction entails
    precision  share of the prediction's elements that the reference entails
    F1         2RP / (R + P) of the means over the samples

The paper's Equation 2 swaps the two: its R divides by the number of predicted elements. Its tables
and code don't, and neither does this package.
"""

from metrics.capst.estimate import BranchScores, Estimate, MeanShare, f1_of
from metrics.capst.judged import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    RELATIONSHIPS,
    Judged,
    Sample,
    relationship_of,
)
from metrics.capst.presets import (
    DEFAULT,
    OFFICIAL,
    PRESETS,
    REFERENCES,
    Difference,
    Preset,
    differences,
)
from metrics.capst.scores import (
    VERSION,
    CapST,
    CategoryScores,
    ClipScores,
    capst,
    score_clip,
)

__all__ = [
    "CONTRADICTION",
    "DEFAULT",
    "ENTAILMENT",
    "NEUTRAL",
    "OFFICIAL",
    "PRESETS",
    "REFERENCES",
    "RELATIONSHIPS",
    "VERSION",
    "BranchScores",
    "CapST",
    "CategoryScores",
    "ClipScores",
    "Difference",
    "Estimate",
    "Judged",
    "MeanShare",
    "Preset",
    "Sample",
    "capst",
    "differences",
    "f1_of",
    "relationship_of",
    "score_clip",
]
