"""Recall over K, a line per model, with its numbers (LoVR, Figure 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotate.axes import Frame, Framed, Tick, apart, shortened
from metrics.retrieval.curve import MAX_K
from review.reports.cells import HUNDRED, Cell, Column, Row, percent
from review.reports.tables import Table
from review.retrieval.computing import Curve, Way
from review.retrieval.directions import DIRECTIONS
from review.retrieval.rows import KIND_NAMES, ModelRow
from review.retrieval.sections import WAY_NAMES, curve_cell, shown_curve

FRAME = Frame.within(460, 280, left=34, right=126, top=12, bottom=40)
X = FRAME.x(1, MAX_K)
Y = FRAME.y(0, HUNDRED)
X_TICKS = (1, 10, 20, 30, 40, 50)
Y_TICKS = range(0, HUNDRED + 1, 20)
# The table has these; the files have every K.
TABLE_KS = (1, 2, 3, 5, 10, 20, 30, 40, 50)
COLORS = 6
# Distance between two names at the ends of lines, and the longest name that fits there.
APART = 13
MAX_NAME_LENGTH = 20
MIN_NAME = 10


@dataclass(frozen=True)
class CurveLine:
    """One model. `color`: from 1 to COLORS; `dash`: how often the colors were used up before.
    `band`: the outline of the 95 % intervals, or "" without any.
    """

    title: str
    label: str
    color: int
    dash: int
    path: str
    band: str
    end: tuple[float, float]
    label_y: float


@dataclass(frozen=True, kw_only=True)
class CurveChart(Framed):
    way: str
    title: str
    lines: list[CurveLine]
    x_ticks: list[Tick]
    y_ticks: list[Tick]


@dataclass(frozen=True)
class Curves:
    """The curves of one kind of captions in both directions. `reasons`: why models have no
    interval.
    """

    kind: str
    name: str
    charts: list[CurveChart]
    table: Table
    has_intervals: bool
    reasons: list[str]


def curves_of(rows: Sequence[ModelRow], kind: str) -> Curves | None:
    """Return the curves of the models that have some; None without any."""
    having = [row for row in rows if _curve(row, kind, DIRECTIONS[0]) is not None]
    if not having:
        return None
    table = _table(having, kind)
    return Curves(
        kind=kind,
        name=KIND_NAMES[kind],
        charts=[_chart(having, kind, way) for way in DIRECTIONS],
        table=table,
        has_intervals=any(cell.interval for row in table.rows for cell in row.cells),
        reasons=_reasons(having, kind),
    )


def _reasons(rows: Sequence[ModelRow], kind: str) -> list[str]:
    """Return why models have no interval, with their names unless it is the same for all."""
    models: dict[str, list[str]] = {}
    for row in rows:
        for reason in {c.reason for way in DIRECTIONS if (c := _curve(row, kind, way))}:
            models.setdefault(reason, []).append(_name(row))
    if len(models) == 1:
        return [f"No intervals. {reason}" for reason in models if reason]
    return [f"{'; '.join(names)}: {reason}" for reason, names in sorted(models.items()) if reason]


def _way(row: ModelRow, kind: str, name: str) -> Way | None:
    ways = row.vectors.kinds.get(kind)
    return ways.way(name) if ways else None


def _curve(row: ModelRow, kind: str, name: str) -> Curve | None:
    way = _way(row, kind, name)
    return shown_curve(way) if way else None


def _chart(rows: Sequence[ModelRow], kind: str, name: str) -> CurveChart:
    drawn = [
        (number, row, curve, way.n_queries)
        for number, row in enumerate(rows)
        if (curve := _curve(row, kind, name)) and (way := _way(row, kind, name))
    ]
    ends = {
        str(number): Y(HUNDRED * curve.hits[-1] / n_queries)
        for number, _, curve, n_queries in drawn
    }
    heights = apart(ends, APART, FRAME.base)
    labels = _labels(rows)
    return CurveChart(
        frame=FRAME,
        way=name,
        title=WAY_NAMES[name],
        lines=[
            _line(number, row, curve, n_queries, labels[number], heights[str(number)])
            for number, row, curve, n_queries in drawn
        ],
        x_ticks=X.ticks(X_TICKS, str),
        y_ticks=Y.ticks(Y_TICKS, str),
    )


def _line(
    number: int, row: ModelRow, curve: Curve, n_queries: int, label: str, label_y: float
) -> CurveLine:
    points = [(X(k), Y(HUNDRED * hits / n_queries)) for k, hits in enumerate(curve.hits, 1)]
    upper = [(X(k), Y(HUNDRED * share)) for k, share in enumerate(curve.high, 1)]
    lower = [(X(k), Y(HUNDRED * share)) for k, share in enumerate(curve.low, 1)]
    return CurveLine(
        title=_name(row),
        label=label,
        color=number % COLORS + 1,
        dash=number // COLORS,
        path=_path(points),
        band=f"{_path([*upper, *reversed(lower)])}Z" if upper else "",
        end=points[-1],
        label_y=label_y,
    )


def _labels(rows: Sequence[ModelRow]) -> list[str]:
    """Return the names at the lines, with the frames if a model has several rows."""
    models = Counter(row.model for row in rows)
    labels = []
    for row in rows:
        frames = f", {row.short_frames}" if models[row.model] > 1 else ""
        room = max(MIN_NAME, MAX_NAME_LENGTH - len(frames))
        labels.append(f"{shortened(row.model, room)}{frames}"[:MAX_NAME_LENGTH])
    return labels


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in points)


def _name(row: ModelRow) -> str:
    return f"{row.model}, {row.frames}"


def _table(rows: Sequence[ModelRow], kind: str) -> Table:
    columns = tuple(
        Column(f"{name}_{k}", f"@{k}", title, best="", k=k)
        for name, title in WAY_NAMES.items()
        for k in TABLE_KS
    )
    return Table(
        columns,
        tuple(Row(row.model, row.frames, tuple(_cells(row, kind)), row.is_old) for row in rows),
    )


def _cells(row: ModelRow, kind: str) -> Iterator[Cell]:
    for name in DIRECTIONS:
        way, curve = _way(row, kind, name), _curve(row, kind, name)
        for k in TABLE_KS:
            if way is None or curve is None:
                yield Cell(reason="There are no queries.")
            else:
                yield curve_cell(way, k, percent(recall_at(way, curve, k)))


def recall_at(way: Way, curve: Curve, k: int) -> float:
    """Return recall at K, 0 to 1; beyond the end of the gallery it stays. `way` has queries."""
    return curve.hits[min(k, len(curve.hits)) - 1] / way.n_queries
