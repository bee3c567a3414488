"""How reliable people are, and estimates that take it into account."""

from metrics.reliability.confusion import DawidSkene, dawid_skene, majority_shares
from metrics.reliability.crowd_strength import CrowdBradleyTerry, crowd_bradley_terry
from metrics.reliability.one_coin import Known, Reliabilities, Reliability, estimate_reliability
from metrics.reliability.share_spread import ShareIntervals, share_intervals
from metrics.reliability.weighted_alpha import WeightedAlpha, weighted_alpha

__all__ = [
    "CrowdBradleyTerry",
    "DawidSkene",
    "Known",
    "Reliabilities",
    "Reliability",
    "ShareIntervals",
    "WeightedAlpha",
    "crowd_bradley_terry",
    "dawid_skene",
    "estimate_reliability",
    "majority_shares",
    "share_intervals",
    "weighted_alpha",
]
