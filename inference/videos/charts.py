"""Draw the inter-frame difference curve, in the units of its SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from annotate.axes import Frame, Framed, Tick
from inference.segmentation import Curve

FRAME = Frame.within(640, 232, left=36, right=8, top=20, bottom=36)
MAX_X_TICKS, MAX_Y_TICKS = 8, 6
Y_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)


@dataclass(frozen=True)
class CutMark:
    """A cut; `number` is that of the clip that begins here, `seconds` its time."""

    number: int
    frame: int
    seconds: float
    x: float


@dataclass(frozen=True, kw_only=True)
class CurveChart(Framed):
    """LoVR, Figure 3. `area` is the path under the curve, `unit` the unit of the ticks below. Only
    the detector's value has a threshold.
    """

    frames: int
    area: str
    threshold: float | None
    threshold_y: float
    cuts: list[CutMark]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    unit: str


def draw_curve(
    curve: Curve, *, frames: int, fps: Fraction, threshold: float | None, cuts: Sequence[int]
) -> CurveChart | None:
    """Draw the curve of a video of `frames`, the line of its threshold and its cuts; return None
    without a curve.
    """
    if not len(curve.values):
        return None
    # Two columns per unit: sharp on any screen, with a path of a few thousand characters.
    columns = Curve.of(curve.values, most=2 * (FRAME.right - FRAME.left))
    step = columns.step * curve.step
    highest = max(float(columns.values.max()), threshold or 0)
    y_step = next(step for step in Y_STEPS if highest <= step * MAX_Y_TICKS or step == 100)
    y_steps = max(1, math.ceil(highest * 1.05 / y_step))

    x, y = FRAME.x(0, frames).inside, FRAME.y(0, y_step * y_steps, digits=1)
    outline = "".join(
        f"V{y(float(value)):g}H{x((number + 1) * step):g}"
        for number, value in enumerate(columns.values)
    )
    seconds = float(frames / fps)
    x_step = next((s for s in SECONDS if seconds <= s * MAX_X_TICKS), SECONDS[-1])
    per_tick, unit = (60, "minutes") if x_step >= 60 else (1, "seconds")
    return CurveChart(
        frame=FRAME,
        frames=frames,
        area=f"M{FRAME.left} {FRAME.base}{outline}V{FRAME.base}Z",
        threshold=threshold,
        threshold_y=y(threshold or 0),
        cuts=[
            CutMark(number, cut, float(cut / fps), x(cut))
            for number, cut in enumerate(cuts, 1)
            if cut
        ],
        x_ticks=[
            Tick(_moment(at, x_step, per_tick), x(round(at * fps)))
            for at in range(0, math.floor(seconds) + 1, x_step)
        ],
        y_ticks=[Tick(f"{n * y_step:g}", y(n * y_step)) for n in range(y_steps + 1)],
        unit=unit,
    )


def _moment(seconds: int, step: int, per_tick: int) -> str:
    """Return the time; from a minute on as 1:30."""
    if per_tick == 1 and seconds >= 60:
        return f"{seconds // 60}:{seconds % 60:02}"
    return str(seconds // per_tick)
