"""Tests that wait are spread among the others, whatever their number."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from tests.order import spread_modules


def make_tests(*modules: str) -> list:
    """Make a test of each module; those in capitals wait."""
    return [SimpleNamespace(path=Path(name)) for name in modules]


def order_of(modules: str) -> str:
    tests = spread_modules(make_tests(*modules), lambda test: test.path.name.isupper())
    return "".join(test.path.name for test in tests)


def test_modules_that_wait_are_spread_evenly():
    assert order_of("ABCabcdef") == "aAbcBdeCf"


def test_each_module_stays_together_in_its_order():
    assert order_of("AAAAaaabbbccd") == "aaaAAAAbbbccd"


def test_without_others_or_without_waiting_the_order_stays():
    assert order_of("ABBC") == "ABBC"
    assert order_of("abbc") == "abbc"
    assert order_of("") == ""
