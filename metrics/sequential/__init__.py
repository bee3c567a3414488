"""Intervals that hold at all times together, so that a person can look and stop at any time.

An interval for a number of labels that was set in advance no longer holds if a person stops as soon
as it looks good. A confidence sequence holds for all numbers of labels together. Three situations
need three methods:

- means of answers on a known scale, such as ratings and shares: betting (`mean`), exact for any
  distribution and any size;
- estimates with a standard error, such as Bradley-Terry ratings: Robbins' normal mixture
  (`mixture`), for large numbers of votes;
- thresholds, which have neither: a few looks that are planned in advance (`looks`).
"""

from metrics.sequential.looks import Looks, level_of_each_look, planned_looks
from metrics.sequential.mean import VERSION, MeanSequence, mean_sequence
from metrics.sequential.mixture import widening
from metrics.sequential.planning import units_for_width

__all__ = [
    "VERSION",
    "Looks",
    "MeanSequence",
    "level_of_each_look",
    "mean_sequence",
    "planned_looks",
    "units_for_width",
    "widening",
]
