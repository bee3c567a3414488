"""Correlations of metrics with people's ratings, from the numbers of both (CaReBench, appendix C,
Table 15).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metrics.correlation import Correlation, pearson, spearman

RATINGS = ("elo", "bradley_terry")


@dataclass(frozen=True)
class Correlated:
    """The correlation of a metric with one rating."""

    pearson: Correlation
    spearman: Correlation


@dataclass(frozen=True)
class MetricCorrelation:
    """A metric, its values by systems' keys, and its correlation with each rating."""

    key: str
    name: str
    values: Mapping[str, float]
    elo: Correlated
    bradley_terry: Correlated

    def with_rating(self, rating: str) -> Correlated:
        """Return the correlations with this rating of RATINGS."""
        return self.elo if rating == "elo" else self.bradley_terry


@dataclass(frozen=True)
class Correlations:
    """`ratings`: by the names of RATINGS and the keys of systems."""

    ratings: Mapping[str, Mapping[str, float]]
    metrics: Sequence[MetricCorrelation]


def correlate(
    ratings: Mapping[str, Mapping[str, float]],
    metrics: Sequence[tuple[str, str, Mapping[str, float]]],
) -> Correlations:
    """Correlate ratings with metrics. `ratings`: as in the result. `metrics`: key, name, and values
    by system.
    """

    def correlated(values: Mapping[str, float], rating: str) -> Correlated:
        numbers = list(values.values()), [ratings[rating][system] for system in values]
        return Correlated(pearson(*numbers), spearman(*numbers))

    return Correlations(
        ratings=ratings,
        metrics=[
            MetricCorrelation(
                key=key,
                name=name,
                values=dict(values),
                elo=correlated(values, "elo"),
                bradley_terry=correlated(values, "bradley_terry"),
            )
            for key, name, values in metrics
        ],
    )
