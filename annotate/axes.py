"""The parts of charts: frames, scales and ticks.

All positions are in the units of a chart's SVG, whose origin is the upper left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Tick:
    label: str
    at: float


@dataclass(frozen=True)
class Scale:
    """Maps numbers to positions: `low` to `start` and `high` to `end`."""

    low: float
    high: float
    start: float
    end: float
    digits: int = 2

    def __call__(self, number: float) -> float:
        share = (number - self.low) / (self.high - self.low)
        return round(self.start + (self.end - self.start) * share, self.digits)

    def inside(self, number: float) -> float:
        """Return the position of a number; one beyond an end is placed at that end."""
        return self(min(max(number, self.low), self.high))

    def length(self, first: float, second: float) -> float:
        return round(abs(self(second) - self(first)), self.digits)

    def ticks(
        self, numbers: Iterable[int], label: Callable[[int], str] = "{:,}".format
    ) -> list[Tick]:
        return [Tick(label(number), self(number)) for number in numbers]


@dataclass(frozen=True)
class Frame:
    """A chart of `width` and `height`, and the edges of the area in which its marks are drawn."""

    width: int
    height: int
    left: int
    right: int
    top: int
    base: int

    @classmethod
    def within(
        cls, width: int, height: int, *, left: int, right: int, top: int, bottom: int
    ) -> Frame:
        """Return the frame with these margins."""
        return cls(width, height, left, width - right, top, height - bottom)

    def x(self, low: float, high: float) -> Scale:
        return Scale(low, high, self.left, self.right)

    def y(self, low: float, high: float, digits: int = 2) -> Scale:
        return Scale(low, high, self.base, self.top, digits)


@dataclass(frozen=True, kw_only=True)
class Framed:
    """A chart with its frame, for templates."""

    frame: Frame

    @property
    def width(self) -> int:
        return self.frame.width

    @property
    def height(self) -> int:
        return self.frame.height

    @property
    def left(self) -> int:
        return self.frame.left

    @property
    def right(self) -> int:
        return self.frame.right

    @property
    def top(self) -> int:
        return self.frame.top

    @property
    def base(self) -> int:
        return self.frame.base


@dataclass(frozen=True, kw_only=True)
class Box:
    """A bar, by its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 2)


def round_step(most: int, parts: int) -> int:
    """Return the smallest step of 1, 2, 5, 10, 20 … with which `parts` steps reach `most`."""
    scale = 1
    while True:
        for step in (1, 2, 5):
            if step * scale * parts >= most:
                return step * scale
        scale *= 10


def steps_to(most: int, parts: int) -> range:
    """Return round numbers from 0 to at least `most`, in about `parts` steps."""
    step = round_step(most, parts)
    return range(0, step * -(-most // step) + 1, step)


def apart(heights: Mapping[str, float], room: float, floor: float) -> dict[str, float]:
    """Move labels apart so that each has `room`, and return their heights.

    They are pushed down from the top, then up from the floor.
    """
    placed: dict[str, float] = {}
    for name in sorted(heights, key=lambda name: heights[name]):
        above = max(placed.values(), default=heights[name] - room)
        placed[name] = max(heights[name], above + room)
    for name in sorted(placed, key=lambda name: -placed[name]):
        placed[name] = round(min(placed[name], floor), 2)
        floor = placed[name] - room
    return placed


def shortened(name: str, most: int) -> str:
    """Shorten a name to at most `most` characters; the table beside the chart has the full name."""
    return name if len(name) <= most else f"{name[: most - 1]}…"
