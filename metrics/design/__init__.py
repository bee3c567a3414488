"""Which label to ask for next, with known probabilities.

Every design here draws at random: a share of the draws is uniform, so that each candidate has a
probability above 0, and the probability of what was drawn is kept. Weights by the inverse of these
probabilities make estimates unbiased, however the probabilities came about (Horvitz and Thompson,
Journal of the American Statistical Association 47, 1952).
"""

from metrics.design.captions import caption_scores, weighted_mean
from metrics.design.drawing import (
    VERSION,
    Draw,
    draw_probabilities,
    draw_weights,
    draw_without_replacement,
)
from metrics.design.inclusion import draw_included, effective_size, inclusion_probabilities

__all__ = [
    "VERSION",
    "Draw",
    "caption_scores",
    "draw_included",
    "draw_probabilities",
    "draw_weights",
    "draw_without_replacement",
    "effective_size",
    "inclusion_probabilities",
    "weighted_mean",
]
