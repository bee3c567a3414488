"""Draw clips per label on a logarithmic scale, in the units of its SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.axes import Box, Frame, Framed, Tick
from annotate.corpus.labels import LabelCount

FRAME = Frame.within(880, 240, left=48, right=12, top=16, bottom=44)
# The base line: a label with one clip must have a visible bar, and an unused label none.
LOWEST = 0.5
MAX_ROOM = 68.0  # width of a bar if there are only a few
NAMED_FROM = 40  # width that a bar needs to show its label's id
FEW_TICKS, MANY_TICKS = (1, 2, 5, 10, 20, 50, 100), (1, 10, 100, 1_000, 10_000, 100_000)


@dataclass(frozen=True, kw_only=True)
class Bar(Box):
    label: LabelCount


@dataclass(frozen=True, kw_only=True)
class LabelChart(Framed):
    """`is_named`: whether there is room for each label's id under its bar."""

    bars: list[Bar]
    ticks: list[Tick]
    is_named: bool


def draw_labels(labels: Sequence[LabelCount]) -> LabelChart | None:
    """Draw one bar per label, in the given order; return None if no label has a clip."""
    most = max((label.clips for label in labels), default=0)
    if not most:
        return None
    room = min(MAX_ROOM, (FRAME.right - FRAME.left) / len(labels))
    gap = min(2.0, room / 5)
    decades = FRAME.y(math.log10(LOWEST), math.log10(most))

    def y(clips: int) -> float:
        return decades(math.log10(clips))

    return LabelChart(
        frame=FRAME,
        bars=[
            Bar(
                label=label,
                x=round(FRAME.left + place * room + gap / 2, 2),
                y=y(label.clips),
                width=round(room - gap, 2),
                height=round(FRAME.base - y(label.clips), 2),
            )
            for place, label in enumerate(labels)
            if label.clips
        ],
        ticks=[
            Tick(f"{clips:,}", y(clips))
            for clips in (FEW_TICKS if most <= FEW_TICKS[-1] else MANY_TICKS)
            if clips <= most
        ],
        is_named=room >= NAMED_FROM,
    )
