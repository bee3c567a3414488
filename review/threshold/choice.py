"""Count what each value of a threshold would keep and send back, in a form small enough for a page.

A value is a whole number of thousandths. The counts are made here, so that the page's script and
the server agree.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from inference.scores.services import LEAST, MOST

STEPS_TO_ONE = 1000
SLIDER_STEP = 10


@dataclass(frozen=True)
class Choice:
    """The number of current machine captions `kept` and sent `back`. Of the sample, the number kept
    and flagged, missed (kept with an error) and false alarms (flagged without an error).
    """

    kept: int
    back: int
    sample_kept: int
    flagged: int
    missed: int
    false_alarms: int


@dataclass(frozen=True)
class Choices:
    """The counts at each thousandth from `first` on; `back`, `flagged` and `alarms` never fall."""

    first: int
    back: Sequence[int]
    flagged: Sequence[int]
    alarms: Sequence[int]
    captions: int
    sampled: int
    faulty: int

    def at(self, value: float) -> Choice:
        place = min(max(round(value * STEPS_TO_ONE) - self.first, 0), len(self.back) - 1)
        back, flagged, alarms = self.back[place], self.flagged[place], self.alarms[place]
        return Choice(
            kept=self.captions - back,
            back=back,
            sample_kept=self.sampled - flagged,
            flagged=flagged,
            missed=self.faulty - (flagged - alarms),
            false_alarms=alarms,
        )

    @property
    def as_json(self) -> str:
        """Return the data for the page's script, with counts as steps to keep it short."""
        data = {
            "first": self.first,
            "captions": self.captions,
            "sampled": self.sampled,
            "faulty": self.faulty,
            "back": _steps(self.back),
            "flagged": _steps(self.flagged),
            "alarms": _steps(self.alarms),
        }
        return json.dumps(data, separators=(",", ":"))

    @property
    def slider(self) -> tuple[float, float]:
        """Return the slider's minimum and maximum, in whole hundredths, around
        everything counted.
        """
        last = self.first + len(self.back) - 1
        least = math.floor(self.first / SLIDER_STEP) * SLIDER_STEP
        most = math.ceil(last / SLIDER_STEP) * SLIDER_STEP
        return least / STEPS_TO_ONE, most / STEPS_TO_ONE


def count_choices(
    values: Iterable[float], sample: Sequence[tuple[float, float]], inside: Iterable[float]
) -> Choices:
    """Count `values`, the scores of the current machine captions, and `sample`, the (score, mean
    errors) of each caption that people have judged. The slider always covers `inside`.
    """
    scores = np.sort(np.fromiter(values, dtype=float))
    judged = np.array(sample, dtype=float).reshape(-1, 2)
    faulty = judged[:, 1] > 0
    ends = np.concatenate([scores[:1], scores[-1:], judged[:, 0], np.fromiter(inside, dtype=float)])
    # From "sends nothing back" to "sends everything back", within the bounds of a threshold.
    first = math.floor(max(ends.min(), LEAST) * STEPS_TO_ONE)
    last = math.ceil(min(ends.max(), MOST) * STEPS_TO_ONE) + 1
    first, last = min(first, int(MOST * STEPS_TO_ONE)), min(last, int(MOST * STEPS_TO_ONE))
    thresholds = np.arange(first, max(last, first) + 1) / STEPS_TO_ONE
    return Choices(
        first=first,
        back=_below(scores, thresholds),
        flagged=_below(np.sort(judged[:, 0]), thresholds),
        alarms=_below(np.sort(judged[~faulty, 0]), thresholds),
        captions=len(scores),
        sampled=len(judged),
        faulty=int(faulty.sum()),
    )


def _below(scores: NDArray[np.float64], thresholds: NDArray[np.float64]) -> list[int]:
    below: list[int] = np.searchsorted(scores, thresholds, side="left").tolist()
    return below


def _steps(counts: Sequence[int]) -> list[int]:
    return [counts[0], *(after - before for before, after in pairwise(counts))]
