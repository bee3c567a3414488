"""The order of the tests of a run, in which those that wait keep nobody waiting."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import pytest


def spread_modules(
    items: list[pytest.Item], waits: Callable[[pytest.Item], bool]
) -> list[pytest.Item]:
    """Return the tests with the modules whose tests wait spread evenly among the others.

    Processes begin with equal parts of the list. If the tests that wait for a browser or a worker
    came together, all processes would wait at once, while the processor does nothing.
    Each module's tests stay together.
    """
    modules = [list(module) for _, module in groupby(items, key=lambda item: item.path)]
    placed = []
    for waiting in (True, False):
        alike = [module for module in modules if waits(module[0]) is waiting]
        total, before = sum(map(len, alike)), 0
        for module in alike:
            placed.append(((before + len(module) / 2) / total, module))
            before += len(module)
    placed.sort(key=lambda place: place[0])
    return [item for _, module in placed for item in module]
