"""How few clips are too few for an interval or a winner."""

FEW = 10
"""With fewer clips or queries, a number has no interval and is never called the best: a resample of
so few is little more than their lowest and highest, and an interval from a fit of so few can be
thousands of points wide."""
