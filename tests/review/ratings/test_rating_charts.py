"""Where ratings, lines, cells and points are drawn: in the picture, in order, and apart."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.display.scale import FRAME, bounds, draw_axis, draw_mark
from review.leaderboard.computing import EloPoint, Pair
from review.leaderboard.path_chart import LABEL_HEIGHT, MAX_LINES, draw_path
from review.leaderboard.scatter import draw_scatter
from review.leaderboard.win_chart import Duel, draw_wins, duels_of

ratings = st.floats(-5000, 5000, allow_nan=False)
values = st.floats(0, 1000, allow_nan=False) | st.floats(0, 0.02, allow_nan=False)


def test_an_axis_ends_at_round_numbers():
    axis = draw_axis([912.3, 1000, 1137.9])
    assert [tick.label for tick in axis.ticks] == ["900", "1000", "1100", "1200"]
    mark = draw_mark(axis, 1000, 912.3, 1137.9)
    assert 0 < mark.low < mark.at < mark.high < FRAME.width


def test_equal_ratings_still_have_an_axis():
    assert bounds([1000.0, 1000.0]) == (1000, 1001, 1)


@given(st.lists(ratings, min_size=1, max_size=20))
def test_every_rating_is_within_its_axis(numbers):
    axis = draw_axis(numbers)
    marks = [draw_mark(axis, number, number, number).at for number in numbers]
    assert 0 < min(marks) <= max(marks) < FRAME.width
    assert len(axis.ticks) <= 7


def path_of(*ends):
    """Two stops of so many models, which end at `ends`."""
    ratings = {str(key): end for key, end in enumerate(ends)}
    return [
        EloPoint(1, dict.fromkeys(ratings, 1000.0)),
        EloPoint(100, ratings),
    ]


def draw(*ends):
    names = {str(key): f"Model {key}" for key in range(len(ends))}
    return draw_path(path_of(*ends), names, list(names))


def test_labels_of_lines_that_end_together_stand_apart():
    chart = draw(1000.0, 1000.0, 1000.5, 1200.0, 900.0)
    heights = sorted(line.label_y for line in chart.lines)
    assert all(below - above >= LABEL_HEIGHT for above, below in pairwise(heights))
    assert heights[-1] <= chart.base


def test_lines_beyond_the_colors_are_dashed_and_there_is_an_end_to_them():
    chart = draw(*[1000.0 + number for number in range(15)])
    assert len(chart.lines) == MAX_LINES
    assert len({(line.color, line.is_dashed) for line in chart.lines}) == MAX_LINES


def test_a_model_without_votes_at_first_begins_later():
    chart = draw_path(
        [
            EloPoint(1, {"1": 1016.0}),
            EloPoint(2, {"1": 1020.0, "2": 980.0}),
        ],
        {"1": "A", "2": "B", "3": "C"},
        ["1", "2", "3"],
    )
    assert [len(line.dots) for line in chart.lines] == [2, 1]
    assert draw_path([], {}, []) is None


@pytest.mark.parametrize(
    ("duel", "shade"),
    [
        (Duel(0, 9, 0), 0),
        (Duel(3, 7, 0), 1),
        (Duel(4, 6, 0), 2),
        (Duel(1, 1, 8), 3),
        (Duel(6, 4, 0), 4),
        (Duel(7, 3, 0), 5),
        (Duel(9, 0, 1), 6),
    ],
)
def test_a_cell_is_shaded_by_the_share_of_points(duel, shade):
    matrix = draw_wins(["1", "2"], {"1": "A", "2": "B"}, {("1", "2"): duel})
    assert [cell.shade for cell in matrix.cells] == [shade, 0]
    assert matrix.cells[1].value is None


def test_a_duel_is_seen_from_both_sides():
    pair = Pair("1", "2", votes=6, first_won=3, second_won=1, ties=2, both_bad=0, first_left=3)
    duels = duels_of([pair])
    assert duels == {("1", "2"): Duel(3, 1, 2), ("2", "1"): Duel(1, 3, 2)}
    assert duels["1", "2"].percent + duels["2", "1"].percent == 100


@given(st.lists(st.tuples(values, ratings), min_size=1, max_size=12))
def test_every_point_is_within_its_picture(pairs):
    rows = [(number, "A", value, rating) for number, (value, rating) in enumerate(pairs, 1)]
    chart = draw_scatter(rows)
    for point in chart.points:
        assert chart.left - 0.1 <= point.x <= chart.right + 0.1
        assert chart.top - 0.1 <= point.y <= chart.base + 0.1
    assert len(chart.x_ticks) <= 6


def test_small_numbers_have_ticks_of_their_own():
    rows = [(1, "A", 0.012, 900.0), (2, "B", 0.030, 1100.0)]
    labels = [tick.label for tick in draw_scatter(rows).x_ticks]
    assert labels == ["0.01", "0.02", "0.03"]


def test_a_number_at_the_right_edge_stands_left_of_its_point():
    rows = [(1, "A", 1.0, 900.0), (2, "B", 3.0, 1100.0)]
    assert [point.anchor for point in draw_scatter(rows).points] == ["start", "end"]


def test_the_numbers_of_a_metric_are_read_without_an_exponent():
    values = [8.932872109493038e-227, 0.0001, 0.12345, 26.0, 412.36, 1000.0, 12345.6]
    chart = draw_scatter([(n, "Heron", value, 1000 + n) for n, value in enumerate(values, 1)])
    texts = ["0", "0.0001000", "0.1235", "26.00", "412.4", "1000", "12346"]
    assert [point.value_text for point in chart.points] == texts
