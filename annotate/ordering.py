"""Lists that people put in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
UP, DOWN = "up", "down"


def moved(order: Sequence[T], item: T, *, up: bool) -> list[T]:
    """Return the list with the item swapped with the one before it (`up`) or after it; at either
    end, as it was. Raises ValueError if the item isn't in the list."""
    swapped = list(order)
    place = swapped.index(item)
    other = place - 1 if up else place + 1
    if 0 <= other < len(swapped):
        swapped[place], swapped[other] = swapped[other], swapped[place]
    return swapped
