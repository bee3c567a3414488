"""The rows of a vector file that have an error."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annotate.datasets.faults import Fault, Faults, LeftOut, by_row
from review.captions.exchange import PredictionsInvalid
from review.captions.predictions import MAX_FAULTS


class VectorsInvalid(PredictionsInvalid):
    """Nothing was stored. `lines` are the first error of each array, and end the message."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults)
        of_arrays: dict[str, str] = {}
        for fault in faults:
            row = fault.row.partition(" of ")[0]
            of_arrays.setdefault(fault.field, f"{fault.field}, {row}: {fault.mend}")
        self.lines = list(of_arrays.values())
        self.args = ("\n".join([str(self), *self.lines]),)


class RowFaults:
    """Collects errors of rows, which count from 0. `part` is the array of a row's id. The message
    counts rows from 1, like the lines of a file. Raises VectorsInvalid at MAX_FAULTS.
    """

    def __init__(self, file_name: str) -> None:
        self._faults = Faults(file_name)
        self._bad: set[tuple[str, int]] = set()

    def __bool__(self) -> bool:
        return bool(self._bad)

    def add(self, part: str, row: int, mend: str, array: str = "") -> None:
        """Add a fault. `array`: the one with the error, if it isn't that of the ids."""
        self._bad.add((part, row))
        self._faults.add(f"row {row + 1} of {part}", array or part, mend)
        if len(self._faults.collected) >= MAX_FAULTS:
            raise VectorsInvalid(self._faults.collected)

    def has(self, part: str, row: int) -> bool:
        return (part, row) in self._bad

    def left_out(self, good: int, *, skips_bad: bool) -> LeftOut:
        """Return the rows with an error. Raises VectorsInvalid if there are any, unless `good` rows
        are imported without them.
        """
        if self and not (skips_bad and good):
            raise VectorsInvalid(self._faults.collected)
        return LeftOut(by_row(self._faults.collected))


def unit_rows(numbers: NDArray[np.float64]) -> tuple[NDArray[np.float32], dict[int, str]]:
    """Return the rows scaled to length 1, and how to fix each row that has no direction."""
    finite: NDArray[np.bool_] = np.all(np.isfinite(numbers), axis=1)
    # A row that isn't finite becomes zeros, so that a largest number of 0 means no direction.
    numbers = np.where(finite[:, None], numbers, 0.0)
    largest = np.abs(numbers).max(axis=1, keepdims=True)
    mends = {
        int(row): "all its numbers are 0. Embed this item again."
        if finite[row]
        else "it contains NaN or an infinite number. Embed this item again."
        for row in np.flatnonzero(largest == 0)
    }
    # Divide by the largest number first, so that squares neither overflow nor underflow.
    scaled = numbers / np.where(largest == 0, 1, largest)
    length = np.sqrt(np.square(scaled).sum(axis=1, keepdims=True))
    units: NDArray[np.float32] = (scaled / np.where(length == 0, 1, length)).astype("<f4")
    return units, mends
