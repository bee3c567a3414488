"""Searches that are timed once."""

import pytest

from review.retrieval import report


@pytest.fixture(autouse=True)
def timed_once(monkeypatch):
    """The same numbers are searched three times only for a time; worlds of a module do so."""
    monkeypatch.setattr(report, "TIMED_RUNS", 1)
