from __future__ import annotations

import pytest

from annotate.jobs import kinds
from tests.annotate.jobs.cast import BatchCounting, Counting


@pytest.fixture
def counting(monkeypatch) -> Counting:
    kind = Counting()
    monkeypatch.setitem(kinds._REGISTERED, kind.name, kind)
    return kind


@pytest.fixture
def batches(monkeypatch) -> BatchCounting:
    kind = BatchCounting()
    monkeypatch.setitem(kinds._REGISTERED, kind.name, kind)
    return kind
