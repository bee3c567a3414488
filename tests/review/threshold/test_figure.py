"""Where the parts of the figure are drawn."""

from dataclasses import replace

import pytest

from metrics.threshold import MonotoneFit, estimate_threshold
from review.threshold.figure import (
    ERRORS_BASE,
    LEFT,
    RIGHT,
    SCORES_BASE,
    TOP,
    WIDTH,
    count_ranges,
    draw_figure,
)

SCORES = [number / 40 for number in range(40)]
ESTIMATE = replace(
    estimate_threshold(SCORES, [1] * 20 + [0] * 20, n_bootstrap=10),
    threshold=0.2,
    low=0.1,
    high=0.3,
)
FIT = MonotoneFit((0.1, 0.2, 0.4), (2.0, 2.0, 1.0))
SAMPLE = [(0.0, 3.0), (0.1, 2.0), (0.12, 4.0), (0.39, 0.0)]


def draw(values=(0.0, 0.1, 0.3), sample=SAMPLE, **changes):
    options = {"current": 0.2, "chosen": 0.25, "estimate": ESTIMATE, "fit": FIT, **changes}
    return draw_figure(values, sample, **options)


def test_a_range_holds_its_start_and_not_its_end():
    ranges = count_ranges([0.1, 0.15, 0.2], [], [])
    assert [(r.start, r.captions) for r in ranges[:3]] == [(0.1, 1), (0.15, 1), (0.2, 1)]
    assert len(ranges) == 8


def test_a_range_has_mean_spread_and_share_with_an_error():
    ranges = {r.start: r for r in count_ranges([], SAMPLE, [])}
    assert (ranges[0.1].sampled, ranges[0.1].mean, ranges[0.1].faulty) == (2, 3, 1)
    assert ranges[0.1].spread == pytest.approx(2**0.5)
    assert (ranges[0.0].mean, ranges[0.0].spread) == (3, None)
    assert (ranges[0.35].mean, ranges[0.35].faulty_percent) == (0, 0)
    assert (ranges[0.2].mean, ranges[0.2].spread, ranges[0.2].faulty) == (None, None, None)


def test_scores_far_beyond_one_have_few_ranges():
    figure = draw([-0.2, 5.9], [], estimate=None, fit=None)
    assert [(r.start, r.end, r.captions) for r in figure.ranges] == [(-0.5, 0, 1), (5.5, 6, 1)]


def test_the_lines_are_drawn_at_their_scores():
    figure = draw()
    assert (figure.lowest, figure.highest) == (0.0, 0.4)
    room = WIDTH - LEFT - RIGHT
    assert figure.current_x == figure.estimate_x == LEFT + room / 2
    assert figure.chosen_x == pytest.approx(LEFT + room * 0.625, abs=0.01)
    assert figure.band == (LEFT + room / 4, room / 2)


def test_a_choice_outside_is_drawn_at_the_edge():
    assert draw(chosen=-1).chosen_x == LEFT
    assert draw(chosen=1).chosen_x == WIDTH - RIGHT


def test_the_axis_of_errors_holds_the_worst_caption():
    figure = draw()
    assert [(t.label, t.at) for t in figure.error_ticks][::4] == [("0", ERRORS_BASE), ("4", TOP)]
    assert figure.points.startswith(f"M{LEFT} 79h0")
    assert all(TOP <= mean.high_y <= mean.y <= mean.low_y <= ERRORS_BASE for mean in figure.means)


def test_the_fit_falls_half_way_between_two_scores():
    room = WIDTH - LEFT - RIGHT
    assert draw().fit == (f"M{LEFT + room / 4:g} 134H{LEFT + room * 0.75:g}V189H{LEFT + room:g}")


def test_without_a_sample_only_the_scores_are_drawn():
    figure = draw(sample=[], estimate=None, fit=None)
    assert (figure.points, figure.means, figure.fit, figure.band) == ("", [], "", None)
    assert figure.error_ticks == []
    assert figure.top > ERRORS_BASE
    assert figure.bars[0].y + figure.bars[0].height == SCORES_BASE


def test_no_interval_is_no_band():
    figure = draw(estimate=replace(ESTIMATE, low=None, high=None))
    assert (figure.band, figure.estimate_x is None) == (None, False)
    assert draw(estimate=replace(ESTIMATE, threshold=None, low=None, high=None)).estimate_x is None


def test_errors_of_a_part_of_one_have_an_axis_too():
    assert [tick.label for tick in draw(sample=[(0.1, 0.3)]).error_ticks] == ["0", "1"]
