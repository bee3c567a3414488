"""Where the parts of the clip-length histogram are drawn, in the units of its SVG."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.axes import Tick, round_step
from annotate.corpus.balance import Bin, Lengths
from annotate.corpus.queries import LONG_MS, SHORT_MS

WIDTH, HEIGHT = 880, 260
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 24, 40
MOST_TICKS = 10


@dataclass(frozen=True)
class Bar:
    bin: Bin
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Histogram:
    """`band` is (x, width) of the 5-20 s band as far as the chart shows it, width 0 for none."""

    width: int
    height: int
    left: int
    right: int
    top: int
    base: int
    band: tuple[float, float]
    bars: list[Bar]
    x_ticks: list[Tick]
    y_ticks: list[Tick]

    @property
    def band_height(self) -> int:
        return self.base - self.top


def draw_histogram(lengths: Lengths, *, band: bool = True) -> Histogram | None:
    """None where there is no clip to draw; `band` is whether the 5-20 s band is marked."""
    if not lengths.bins:
        return None
    bins, end = lengths.bins, lengths.bins[-1].end
    step = round_step(max(b.clips for b in bins), 4)
    highest = step * -(-max(b.clips for b in bins) // step)
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    base = HEIGHT - BOTTOM

    def x(seconds: float) -> float:
        return round(LEFT + inner_width * min(seconds, end) / end, 2)

    def y(clips: float) -> float:
        return round(base - inner_height * clips / highest, 2)

    band_start, band_end = (x(SHORT_MS / 1000), x(LONG_MS / 1000)) if band else (0.0, 0.0)
    second_step = round_step(end, MOST_TICKS)
    return Histogram(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
        top=TOP,
        base=base,
        band=(band_start, round(band_end - band_start, 2)),
        bars=[
            Bar(b, x(b.start) + 0.5, y(b.clips), x(b.end) - x(b.start) - 1, base - y(b.clips))
            for b in bins
        ],
        x_ticks=[Tick(str(s), x(s)) for s in range(0, end + 1, second_step)],
        y_ticks=[Tick(f"{n:,}", y(n)) for n in range(0, highest + 1, step)],
    )
