"""Where the points and intervals of a metric's picture are drawn."""

from review.reports.cells import Cell, Column, Row, written
from review.reports.charts import LEFT, MAX_NAME_LENGTH, RIGHT, WIDTH, draw
from review.reports.tables import Section, Table


def section(*rows: Row, **column) -> Section:
    gap = Column("gap", "Gap", drawn="first", **column)
    return Section("gaps", "Gaps", "Table 17", "Percent.", "gap", Table((gap,), rows))


def test_nothing_is_drawn_without_a_number():
    assert draw(section()) is None
    assert draw(section(Row("CARE", "", (Cell(),)))) is None


def test_gaps_are_drawn_on_both_sides_of_zero():
    chart = draw(section(Row("A", "", (Cell(4.0),)), Row("B", "", (Cell(-2.0),))))
    assert chart is not None
    a, b = (group.lines[0] for group in chart.groups)
    assert b.points[0].x == b.start < b.end == chart.zero == a.start < a.end == a.points[0].x
    assert [tick.label for tick in chart.ticks] == ["-2", "0", "2", "4"]
    assert (chart.ticks[0].at, chart.ticks[-1].at) == (LEFT, WIDTH - RIGHT)
    assert not chart.has_intervals


def test_a_gap_that_rounds_to_zero_has_no_sign():
    cell = Cell(-0.04, None, -0.04, 0.04)
    table = section(Row("A", "", (cell,)))
    chart = draw(table)
    assert chart is not None
    assert chart.groups[0].lines[0].points[0].title == "Gap: 0.0, 0.0 to 0.0"
    assert written(cell, table.table.columns[0]) == "0.0"


def test_the_line_is_the_interval_where_there_is_one():
    chart = draw(section(Row("A", "", (Cell(50.0, None, 25.0, 75.0),))))
    assert chart is not None
    [line] = chart.groups[0].lines
    assert line.start < line.points[0].x < line.end
    assert line.points[0].title == "Gap: 50.0, 25.0 to 75.0"
    assert chart.has_intervals
    assert chart.zero is None


def test_beside_intervals_a_number_without_one_is_a_point_alone():
    chart = draw(
        section(Row("A", "", (Cell(50.0, None, 25.0, 75.0),)), Row("B", "", (Cell(40.0),)))
    )
    assert chart is not None
    a, b = (group.lines[0] for group in chart.groups)
    assert a.start < a.end
    assert b.start == b.points[0].x == b.end


def test_ratings_need_not_begin_at_zero():
    chart = draw(
        section(Row("A", "", (Cell(1040.0),)), Row("B", "", (Cell(990.0),)), has_zero=False)
    )
    assert chart is not None
    assert chart.ticks[0].label == "990"


def test_a_long_name_keeps_what_tells_it_from_others():
    chart = draw(section(Row("x" * 80, "Query clip only", (Cell(1.0),))))
    assert chart is not None
    [group] = chart.groups
    assert group.name.endswith("…, Query clip only")
    assert len(group.name) <= MAX_NAME_LENGTH
