"""Each test of the API has its minute of requests to itself."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _no_requests_counted_yet():
    cache.clear()
