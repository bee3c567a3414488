"""The ticks of a chart's axis: how far apart they stand, and where."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tick:
    """`at` is in the units of the chart's SVG."""

    label: str
    at: float


def round_step(most: int, parts: int) -> int:
    """The smallest of 1, 2, 5, 10, 20 … of which `parts` reach `most`."""
    scale = 1
    while True:
        for step in (1, 2, 5):
            if step * scale * parts >= most:
                return step * scale
        scale *= 10
