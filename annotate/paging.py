"""Pages of lists whose length is already known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

Row = TypeVar("Row")


class CountedRows(Sequence[Row]):
    """Rows for Django's Paginator, which then reads only one page and doesn't count again.

    `read` returns the rows from a first index up to, but not including, a last one.
    """

    def __init__(self, count: int, read: Callable[[int, int], Sequence[Row]]) -> None:
        self._count, self._read = count, read

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        if isinstance(place, slice):
            start, stop, _ = place.indices(self._count)
            return self._read(start, stop)
        return self._read(place, place + 1)[0]
