"""Where the curve, its cuts and its ticks are drawn."""

import re
from fractions import Fraction

import numpy as np
import pytest

from inference.segmentation import Curve
from inference.videos.charts import FRAME, draw_curve


def draw(values, *, frames=None, fps=Fraction(25), threshold=34.0, cuts=(0,), most=4000):
    values = np.array(values, np.float32)
    frames = frames or len(values)
    return draw_curve(
        Curve.of(values, most), frames=frames, fps=fps, threshold=threshold, cuts=cuts
    )


def test_without_a_curve_nothing_is_drawn():
    assert draw([], frames=250) is None


def test_the_ends_of_the_axis_are_the_ends_of_the_video():
    chart = draw([0, 50, 10, 20])
    assert (chart.left, chart.right) == (FRAME.left, FRAME.width - 8)
    assert chart.area.startswith(f"M{FRAME.left} {chart.base}V")
    assert chart.area.endswith(f"H{chart.right}V{chart.base}Z")


def test_a_higher_value_is_drawn_higher_and_zero_on_the_axis():
    chart = draw([0, 50, 10])
    heights = [float(y) for y in re.findall(r"V([\d.]+)H", chart.area)]
    assert heights[0] == chart.base
    assert FRAME.top < heights[1] < chart.threshold_y < heights[2] < chart.base


def test_a_cut_is_drawn_at_its_frame():
    chart = draw([1.0] * 200, cuts=[0, 50, 100])
    assert [(cut.number, cut.frame, cut.seconds) for cut in chart.cuts] == [
        (2, 50, 2.0), (3, 100, 4.0),
    ]  # fmt: skip
    width = chart.right - chart.left
    assert [cut.x - chart.left for cut in chart.cuts] == [width / 4, width / 2]


@pytest.mark.parametrize("place", [1, 3001, 40_000, 71_999])
def test_a_peak_is_seen_however_long_the_video_is(place):
    values = np.ones(72_000)
    values[place] = 90
    chart = draw(values)
    steps = re.findall(r"V([\d.]+)H([\d.]+)", chart.area)
    assert len(steps) <= 2 * FRAME.width
    at = next(n for n, (y, _) in enumerate(steps) if float(y) < chart.threshold_y)
    begin = float(steps[at - 1][1]) if at else chart.left
    frame = (chart.right - chart.left) * place / 72_000 + chart.left
    assert begin <= frame <= float(steps[at][1]) + 0.02


def test_minutes_are_written_below_a_long_video():
    chart = draw(np.ones(60_000))
    assert (chart.unit, [tick.label for tick in chart.x_ticks]) == (
        "minutes", ["0", "5", "10", "15", "20", "25", "30", "35", "40"],
    )  # fmt: skip
    assert (chart.x_ticks[0].at, chart.x_ticks[-1].at) == (chart.left, chart.right)


def test_seconds_are_written_below_a_short_video():
    chart = draw(np.ones(250))
    assert (chart.unit, [tick.label for tick in chart.x_ticks]) == (
        "seconds", ["0", "2", "4", "6", "8", "10"],
    )  # fmt: skip
    assert [tick.label for tick in draw(np.ones(2500)).x_ticks] == [
        "0", "15", "30", "45", "1:00", "1:15", "1:30",
    ]  # fmt: skip


def test_the_scale_holds_the_highest_value_and_the_threshold():
    labels = [int(tick.label) for tick in draw([0, 131]).y_ticks]
    assert (labels[0], labels[-1] >= 131) == (0, True)
    assert [int(tick.label) for tick in draw([0, 2], threshold=34).y_ticks] == [0, 10, 20, 30, 40]
    assert len(draw([0, 255], threshold=255).y_ticks) <= 7


def test_a_curve_without_a_threshold_has_a_scale_of_its_own():
    chart = draw([0, 3.5], threshold=None)
    assert [tick.label for tick in chart.y_ticks] == ["0", "1", "2", "3", "4"]
    assert [tick.label for tick in draw([0, 0], threshold=None).y_ticks] == ["0", "0.1"]


def test_shares_have_ticks_between_0_and_1():
    chart = draw([0, 0.47], threshold=0.35)
    assert [tick.label for tick in chart.y_ticks] == ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]
