"""Rows that all tests of a module share, where making them for each would take most of the time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from pytest_django import DjangoDbBlocker


@contextmanager
def kept_for_the_module(blocker: DjangoDbBlocker) -> Iterator[None]:
    """What is made here is there until the block is left; what a test adds goes with the test.

    For fixtures of scope "module", which need `django_db_setup`. Objects would keep what one test
    does to them, so a test reads its own.
    """
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
