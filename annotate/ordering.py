"""Lists that people put in order, and names in the order in which people expect them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
UP, DOWN = "up", "down"


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts names without regard to case, and the numbers in them by value:
    Person 2 before Person 10."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name.casefold())
    return [(0, int(part), "") if part[0] in "0123456789" else (1, 0, part) for part in parts]


def moved(order: Sequence[T], item: T, *, up: bool) -> list[T]:
    """Return the list with the item swapped with the one before it (`up`) or after it; at either
    end, as it was. Raises ValueError if the item isn't in the list."""
    swapped = list(order)
    place = swapped.index(item)
    other = place - 1 if up else place + 1
    if 0 <= other < len(swapped):
        swapped[place], swapped[other] = swapped[other], swapped[place]
    return swapped
