"""Compare samplings of frames for the same model (LoVR, Table 4)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotate.axes import Frame, Framed, Tick, apart, steps_to
from annotate.models import Caption, Project
from review.reports.cells import Column, Row
from review.reports.tables import Table
from review.retrieval.directions import DIRECTIONS, KS
from review.retrieval.results import StoredRecall
from review.retrieval.rows import KIND_NAMES, ModelRow, stored_of
from review.retrieval.sections import way_cells, way_columns
from review.retrieval.tables import page_of

FRAME = Frame.within(380, 220, left=30, right=80, top=12, bottom=40)
MINIMUM = 2
HEADS = {
    Caption.Kind.GENERAL: ("Text to clip", "Clip to text"),
    Caption.Kind.FULL_VIDEO: ("Text to whole video", "Whole video to text"),
}
WAYS = (("t2v", "to video"), ("v2t", "to text"))
# Minimum distance between two names at the ends of lines.
APART = 13


@dataclass(frozen=True)
class Line:
    """One direction at one K over the settings. `label_y` is the height of its name, clear of the
    others.
    """

    way: str
    name: str
    points: list[tuple[float, float]]
    label_y: float

    @property
    def path(self) -> str:
        return "M" + "L".join(f"{x} {y}" for x, y in self.points)


@dataclass(frozen=True, kw_only=True)
class StudyChart(Framed):
    lines: list[Line]
    settings: list[Tick]
    ticks: list[Tick]
    title: str


@dataclass(frozen=True)
class Study:
    """`table`: a row a sampling, with the kinds of captions for which several have numbers; the
    picture shows the first kind. `is_unlike`: the rows have different queries or galleries.
    """

    model: str
    key: str
    table: Table
    chart: StudyChart
    is_unlike: bool

    @property
    def title(self) -> str:
        return f"Recall in percent by frames, {self.model}"


def studies_of(project: Project, rows: Iterable[ModelRow]) -> list[Study]:
    """Return a study for each vector space with numbers for several samplings."""
    by_space: dict[str, list[ModelRow]] = {}
    for row in rows:
        if row.space:
            by_space.setdefault(row.space, []).append(row)
    studies = []
    for space, of_space in by_space.items():
        shared = {
            kind: having
            for kind in HEADS
            if len(having := [row for row in of_space if _is_known(row, kind)]) >= MINIMUM
        }
        if not shared:
            continue
        chosen = [row for row in of_space if any(row in having for having in shared.values())]
        drawn = next(iter(shared))
        studies.append(
            Study(
                model=chosen[0].model,
                key=space[:8],
                table=Table(
                    tuple(column for kind in shared for column in _columns(kind)),
                    tuple(_row(project, row, shared) for row in chosen),
                ),
                chart=draw_study(shared[drawn], drawn),
                is_unlike=any(
                    len({row.recalls[kind].sizes for row in having}) > 1
                    for kind, having in shared.items()
                ),
            )
        )
    return studies


def _columns(kind: Caption.Kind) -> Iterable[Column]:
    return way_columns(dict(zip(DIRECTIONS, HEADS[kind], strict=True)), f"{kind}_", best="")


def _row(project: Project, row: ModelRow, kinds: Iterable[str]) -> Row:
    assert row.report is not None
    recall: StoredRecall = stored_of(row.report, row.vectors)
    cells = tuple(cell for kind in kinds for cell in way_cells(recall, kind))
    return Row(row.frames, "", cells, row.is_old, page=page_of(project, row))


def _is_known(row: ModelRow, kind: str) -> bool:
    return kind in row.recalls and len(row.recalls[kind].all) == 2 * len(KS)


def draw_study(rows: Sequence[ModelRow], kind: str) -> StudyChart:
    """Draw recall in percent for each direction and K over the settings, in order. No recall may be
    None.
    """
    x = FRAME.x(0, max(1, len(rows) - 1))
    places = [x(number) for number in range(len(rows))]
    values = [row.recalls[kind].all for row in rows]
    steps = steps_to(max(1, math.ceil(max(map(max, values)))), 5)
    y = FRAME.y(0, steps[-1])
    names = [(way, f"{word} @{k}") for way, word in WAYS for k in KS]
    drawn = [
        (way, name, [(at, y(of_row[place])) for at, of_row in zip(places, values, strict=True)])
        for place, (way, name) in enumerate(names)
    ]
    ends = {f"{way} {name}": points[-1][1] for way, name, points in drawn}
    heights = apart(ends, APART, FRAME.base)
    return StudyChart(
        frame=FRAME,
        lines=[Line(way, name, points, heights[f"{way} {name}"]) for way, name, points in drawn],
        settings=[Tick(row.short_frames, at) for row, at in zip(rows, places, strict=True)],
        ticks=y.ticks(steps, str),
        title=KIND_NAMES[kind],
    )
