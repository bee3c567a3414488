"""The inputs and the result of a report in plain form, as files of a release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Row = Sequence[Any]


@dataclass(frozen=True)
class RowsMadeAnew:
    """Rows that are made again at each reading, because a list would be too large."""

    make: Callable[[], Iterator[Row]]

    def __iter__(self) -> Iterator[Row]:
        return self.make()


@dataclass(frozen=True)
class Table:
    """Rows of values that can be written as JSON, in an order that reveals nothing. They are read
    more than once.

    A release has no keys of people: those in the columns `people` become numbers, in the same
    order. So do the keys in the columns `numbered`, whose items nobody must recognize; of a list
    only the first value is such a key.
    """

    columns: Sequence[str]
    rows: Sequence[Row] | RowsMadeAnew
    people: Sequence[str] = ()
    numbered: Sequence[str] = ()


Vectors = NDArray[np.float32]
# Vectors can be large, so they are only read when they are written.
AnyTable = Table | Callable[[], Vectors]


def plain_value(value: object) -> Any:
    """Return a result as JSON stores it: dataclasses as objects, tuples as lists, keys as texts.

    Raises TypeError for a value that JSON doesn't have.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain_value(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain_value(entry) for key, entry in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        return plain_value(value.tolist())
    if isinstance(value, list | tuple):
        return [plain_value(entry) for entry in value]
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(f"{type(value).__name__} can't be written as JSON")
