"""Draw the clip-length histogram, in the units of its SVG."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.axes import Box, Frame, Framed, Tick, round_step, steps_to
from annotate.corpus.balance import Bin, Lengths
from annotate.corpus.queries import LONG_MS, SHORT_MS

FRAME = Frame.within(880, 260, left=48, right=12, top=24, bottom=40)
MAX_TICKS = 10


@dataclass(frozen=True, kw_only=True)
class Bar(Box):
    bin: Bin


@dataclass(frozen=True, kw_only=True)
class Histogram(Framed):
    """`band` is (x, width) of the visible part of the 5-20 s band, with width 0 if it is hidden."""

    band: tuple[float, float]
    bars: list[Bar]
    x_ticks: list[Tick]
    y_ticks: list[Tick]

    @property
    def band_height(self) -> int:
        return self.base - self.top


def draw_histogram(lengths: Lengths, *, band: bool = True) -> Histogram | None:
    """Draw the histogram; return None without clips. `band`: whether to mark the 5-20 s band."""
    if not lengths.bins:
        return None
    bins, end = lengths.bins, lengths.bins[-1].end
    steps = steps_to(max(b.clips for b in bins), 4)
    x, y = FRAME.x(0, end), FRAME.y(0, steps[-1])
    marked = (x.inside(SHORT_MS / 1000), x.inside(LONG_MS / 1000))
    band_start, band_end = marked if band else (0.0, 0.0)
    second_step = round_step(end, MAX_TICKS)
    return Histogram(
        frame=FRAME,
        band=(band_start, round(band_end - band_start, 2)),
        bars=[
            Bar(
                bin=b,
                x=x(b.start) + 0.5,
                y=y(b.clips),
                width=x(b.end) - x(b.start) - 1,
                height=FRAME.base - y(b.clips),
            )
            for b in bins
        ],
        x_ticks=x.ticks(range(0, end + 1, second_step), str),
        y_ticks=y.ticks(steps),
    )
