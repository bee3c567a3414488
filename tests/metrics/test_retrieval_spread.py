"""The spread of mAP over seeds and queries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import bootstrap

from metrics.retrieval import precision_spread


def test_mean_and_sample_sd_are_over_the_runs():
    spread = precision_spread([[0.2, 0.4], [0.4, 0.8]])
    assert spread.mean == pytest.approx(0.45)
    assert spread.sd == pytest.approx(0.3 / 2**0.5)  # of 0.3 and 0.6
    assert (spread.n_runs, spread.n_queries) == (2, 2)


def test_one_run_has_no_sd_and_one_query_no_interval():
    spread = precision_spread([[0.5]])
    assert (spread.mean, spread.sd, spread.low, spread.high) == (0.5, None, None, None)
    assert spread.reason == "One unit can't be resampled, so there is no interval."


def test_the_interval_is_that_of_scipy():
    values = np.random.default_rng(3).random(200)
    spread = precision_spread([values], n_bootstrap=5_000)
    theirs = bootstrap((values,), np.mean, n_resamples=5_000, method="percentile", rng=1)
    low, high = theirs.confidence_interval
    assert (spread.low, spread.high) == pytest.approx((low, high), abs=0.003)


@given(arrays(float, st.tuples(st.integers(1, 4), st.integers(2, 20)), elements=st.floats(0, 1)))
def test_the_interval_lies_within_the_queries(values):
    spread = precision_spread(values, n_bootstrap=50)
    per_query = values.mean(axis=0)
    assert per_query.min() - 1e-9 <= spread.low <= spread.high <= per_query.max() + 1e-9


def test_no_query_is_undefined_and_no_run_an_error():
    assert precision_spread(np.empty((1, 0))).reason == "There are no queries."
    with pytest.raises(ValueError, match="one row a run"):
        precision_spread([])
    with pytest.raises(ValueError, match="finite"):
        precision_spread([[float("nan")]])
