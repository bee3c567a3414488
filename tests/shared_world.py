"""Rows that all tests of a module share, where making them for each would take most of the time."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import transaction
from pytest_django import DjangoDbBlocker

T = TypeVar("T")


@contextmanager
def kept_for_the_module(blocker: DjangoDbBlocker) -> Iterator[None]:
    """What is made here is there until the block is left; what a test adds goes with the test.

    For the fixture `kept`, or another of scope "module", which needs `django_db_setup`. Objects
    would keep what one test does to them, so a test reads its own or takes `own_copies`. No test of
    the module may commit, and each sees all that is made for the module.
    """
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def own_copies(shared: T) -> T:
    """Return copies of shared objects for one test, which may change them.

    Objects that are the same stay the same: a clip of a copied project has that copy.
    """
    return copy.deepcopy(shared)
