"""CapST: how well machine captions tell what happens and what is there (CaReBench, 3.4.2).

A language model takes the elements (events, objects) out of the reference and out of the
prediction, and judges each element of the one against the text of the other. Here is what follows
from its answers:

    recall     share of the reference's elements that the prediction entails
    precision  share of the prediction's elements that the reference entails
    F1         2RP / (R + P) of the means over the samples

The paper's Equation 2 has the two letters the other way round: its R divides by the number of
predicted elements. Its tables and its code do not, and neither does this.
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
