"""How far people agree who labelled the same units, beyond what chance explains.

Every measure takes `labels` in long form, a sequence of (rater, unit, label): the three are any
hashable things, a missing label is left out, and a rater labels a unit once. Each returns an
Agreement. Which units a seed draws depends on their order, so order the rows before they come here.
"""

from metrics.agreement.alpha import krippendorff_alpha
from metrics.agreement.estimate import Agreement
from metrics.agreement.kappa import cohen_kappa, mean_pairwise_kappa, weighted_kappa
from metrics.agreement.labels import Label
from metrics.agreement.pairwise import PairwiseMatrix, pairwise_matrix
from metrics.agreement.percent import percent_agreement

__all__ = [
    "Agreement",
    "Label",
    "PairwiseMatrix",
    "cohen_kappa",
    "krippendorff_alpha",
    "mean_pairwise_kappa",
    "pairwise_matrix",
    "percent_agreement",
    "weighted_kappa",
]
