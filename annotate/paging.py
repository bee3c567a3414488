"""Pages of rows that are counted before they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

Row = TypeVar("Row")


class CountedRows(Sequence[Row]):
    """Rows for Django's Paginator, which asks for one page of them and never counts them again.

    `read` returns the rows from a first place up to, and without, a last one, from 0.
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
