"""Intervals of the shares of labels by Dawid and Skene's model."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.reliability import dawid_skene, share_intervals
from metrics.reliability.answers import read_answers
from metrics.reliability.share_spread import answers_of, fit_resamples
from tests.metrics.planted_labels import SCALE, planted_labels


def test_a_resample_is_fitted_as_its_labels_are():
    labels = planted_labels(n_units=30, per_unit=3, seed=4).labels
    fitted = dawid_skene(labels, SCALE)
    answers = read_answers(labels, SCALE)
    patterns = answers.patterns
    drawn = np.random.default_rng(0).multinomial(30, patterns.counts / 30).astype(float)
    again = [
        (rater, (unit, copy), label)
        for place, times in zip(patterns.first, drawn, strict=True)
        for copy in range(int(times))
        for rater, unit, label in labels
        if unit == fitted.units[place]
    ]
    observed, begin = answers_of(answers, patterns), fitted.probabilities[patterns.first]
    [shares] = fit_resamples(drawn[None], observed, begin, fitted.imagined)
    assert shares == pytest.approx(dawid_skene(again, SCALE).shares, abs=1e-3)


def test_shares_lie_in_their_intervals_unless_there_is_too_much_to_fit(monkeypatch):
    labels = planted_labels(n_units=80, per_unit=3).labels
    fitted = dawid_skene(labels, SCALE)
    intervals = share_intervals(labels, fitted, n_bootstrap=200)
    for share, majority, own, of_majority in zip(
        fitted.shares, fitted.majority_shares, intervals.shares, intervals.majority, strict=True
    ):
        assert own[0] < share < own[1]
        assert of_majority[0] < majority < of_majority[1]
    assert share_intervals(labels, fitted, n_bootstrap=200) == intervals
    monkeypatch.setattr("metrics.reliability.share_spread.MAX_CELLS", 10)
    assert share_intervals(labels, fitted).reason.startswith("There are too many different answers")
