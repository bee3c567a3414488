"""The card How many are enough: the interval so far, and about how many more labels reach a
width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from annotate.models import Project
from metrics.sequential import mean_sequence, units_for_width

WIDTH = "width"


@dataclass(frozen=True)
class Measure:
    """What a page counts and estimates. `number`: the name of the estimate; "" if only the width of
    its interval is shown. `digits`: of `floatformat`. `width`: the one to begin with. `largest`:
    the widest there can be. `at_every_look`: the interval that holds at every look.
    """

    noun: str
    number: str
    unit: str
    digits: str
    width: float
    largest: float
    at_every_look: str
    note: str = ""


@dataclass(frozen=True)
class Interval:
    """The interval of what `name` says after `n` labels, of at most `population`; `reason` says why
    its ends are missing, if so.
    """

    name: str
    n: int
    low: float | None
    high: float | None
    population: int | None = None
    reason: str = ""

    @property
    def width(self) -> float | None:
        return None if self.low is None or self.high is None else self.high - self.low

    def further(self, width: float) -> int | None:
        """Return about how many more labels make the interval at most so wide; None if unknown."""
        if self.width is None:
            return None
        needed = units_for_width(self.width, self.n, width, self.population)
        return None if needed is None else needed - self.n


@dataclass(frozen=True)
class Card:
    """`rows`: each interval with the further labels for `width`. `kept`: the rest of the page's
    query.
    """

    id: str
    measure: Measure
    rows: Sequence[tuple[Interval, int | None]]
    width: float
    holds_at_every_look: bool
    kept: Sequence[tuple[str, str]]

    @property
    def typed_width(self) -> str:
        return f"{self.width:g}"


def card_of(
    project: Project,
    measure: Measure,
    intervals: Sequence[Interval],
    query: QueryDict,
    id: str = "precision",
) -> Card:
    width = _width_in(query, measure)
    return Card(
        id=id,
        measure=measure,
        rows=[(interval, interval.further(width)) for interval in intervals],
        width=width,
        holds_at_every_look=project.intervals_hold_at_every_look,
        kept=[(name, str(query[name])) for name in query if name != WIDTH],
    )


def mean_at_every_look(
    name: str, values: Sequence[float], scale: tuple[float, float], population: int | None = None
) -> Interval:
    """Return the interval of the mean of these values, in order, that holds at every look."""
    n = len(values)
    sequence = mean_sequence(values, scale, population=population, after=[n] if n else [])
    low, high = next(zip(sequence.low, sequence.high, strict=True), (None, None))
    return Interval(name, n, low, high, population, sequence.reason)


def _width_in(query: QueryDict, measure: Measure) -> float:
    try:
        width = float(query.get(WIDTH, ""))
    except ValueError:
        return measure.width
    return width if 0 < width <= measure.largest else measure.width
