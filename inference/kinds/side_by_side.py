"""Items whose steps are done side by side, so that a model gets several requests at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import OperationalError

from annotate.jobs.kinds import Lease
from inference.models import RunItem


@dataclass(kw_only=True)
class ItemInProgress:
    """An item between two steps; `error` ended this item alone. `place`: its own among the items
    that are done side by side.
    """

    item: RunItem
    lease: Lease
    place: int
    error: Exception | None = None


@contextmanager
def keeping_error(progress: ItemInProgress) -> Iterator[None]:
    """Keep an error with its item, unless the database is away for all."""
    try:
        yield
    except OperationalError:
        raise
    except Exception as error:
        progress.error = error
