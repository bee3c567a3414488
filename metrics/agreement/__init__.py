"""How far people who labeled the same units agree, beyond what chance explains.

Every measure takes `labels` in long form, a sequence of (rater, unit, label). The three are any
hashable values, a missing label is left out, and a rater labels a unit once. Each measure returns
an Agreement. The resamples of a seed depend on the order of the units, so pass the rows in a fixed
order.
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
