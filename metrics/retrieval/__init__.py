"""Retrieval from stored vectors or similarities: rankings, recall at K, mean average precision."""

from metrics.retrieval.average_precision import (
    MeanAveragePrecision,
    mean_average_precision,
    tfcovr_mean_average_precision,
)
from metrics.retrieval.curve import RecallCurve, recall_curve
from metrics.retrieval.ranking import rank_gallery
from metrics.retrieval.recall import Recall, RecallCounts, recall_at_k, recall_of_vectors
from metrics.retrieval.spread import PrecisionSpread, precision_spread

__all__ = [
    "MeanAveragePrecision",
    "PrecisionSpread",
    "Recall",
    "RecallCounts",
    "RecallCurve",
    "mean_average_precision",
    "precision_spread",
    "rank_gallery",
    "recall_at_k",
    "recall_curve",
    "recall_of_vectors",
    "tfcovr_mean_average_precision",
]
