"""Student's t against scipy."""

from __future__ import annotations

import pytest
from scipy import stats

from metrics.student_t import bound_95, two_sided_p


@pytest.mark.parametrize("df", [1, 2, 3, 4, 5, 8, 13, 29, 30, 100, 2000])
def test_it_is_scipys(df):
    assert bound_95(df) == pytest.approx(stats.t.ppf(0.975, df), rel=1e-6)
    for t in (0.0, 0.3, -1.7, 4.0, 12.0):
        assert two_sided_p(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), abs=1e-12)
