"""Models that differ only in how frames were sampled, as one study (LoVR, Table 4)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from annotate.axes import Tick, round_step
from annotate.models import Caption
from review.retrieval.report import KS
from review.retrieval.rows import KIND_NAMES, ModelRow, Recalls

WIDTH, HEIGHT = 380, 220
LEFT, RIGHT, TOP, BOTTOM = 30, 80, 12, 40
LEAST = 2
WAYS = (("t2v", "to video"), ("v2t", "to text"))
# The end of each line is named; two names need so much room.
APART = 13


@dataclass(frozen=True)
class Line:
    """One direction at one K over the settings. `label_y`: where its name stands, clear of the
    others."""

    way: str
    name: str
    points: list[tuple[float, float]]
    label_y: float

    @property
    def path(self) -> str:
        return "M" + "L".join(f"{x} {y}" for x, y in self.points)


@dataclass(frozen=True)
class StudyChart:
    lines: list[Line]
    settings: list[Tick]
    ticks: list[Tick]
    title: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    base: int = HEIGHT - BOTTOM


@dataclass(frozen=True)
class Study:
    """`kinds`: the kinds of captions that several rows have numbers of; the picture is of the
    first. `rows`: each with its recalls by those kinds. `is_unlike`: they rest on different queries
    or galleries."""

    model: str
    key: str
    rows: list[tuple[ModelRow, list[Recalls | None]]]
    kinds: list[str]
    chart: StudyChart
    is_unlike: bool


def studies_of(rows: Iterable[ModelRow]) -> list[Study]:
    """A study for each space of which vectors of several samplings have numbers."""
    by_space: dict[str, list[ModelRow]] = {}
    for row in rows:
        if row.space:
            by_space.setdefault(row.space, []).append(row)
    found = []
    for space, of_space in by_space.items():
        shared = {
            kind: having
            for kind in (Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO)
            if len(having := [row for row in of_space if _is_known(row, kind)]) >= LEAST
        }
        if not shared:
            continue
        chosen = [row for row in of_space if any(row in having for having in shared.values())]
        drawn = next(iter(shared))
        found.append(
            Study(
                model=chosen[0].model,
                key=space[:8],
                rows=[(row, [row.recalls.get(kind) for kind in shared]) for row in chosen],
                kinds=[str(kind) for kind in shared],
                chart=draw_study(shared[drawn], drawn),
                is_unlike=any(
                    len({row.recalls[kind].sizes for row in having}) > 1
                    for kind, having in shared.items()
                ),
            )
        )
    return found


def _is_known(row: ModelRow, kind: str) -> bool:
    return kind in row.recalls and len(row.recalls[kind].all) == 2 * len(KS)


def draw_study(rows: Sequence[ModelRow], kind: str) -> StudyChart:
    """Recall in percent of each direction and K over the settings, in their order. All are
    known."""
    step_x = (WIDTH - LEFT - RIGHT) / max(1, len(rows) - 1)
    places = [round(LEFT + number * step_x, 2) for number in range(len(rows))]
    values = [row.recalls[kind].all for row in rows]
    highest = max(1, math.ceil(max(map(max, values))))
    step = round_step(highest, 5)
    top = step * -(-highest // step)
    base = HEIGHT - BOTTOM

    def y(percent: float) -> float:
        return round(base - (base - TOP) * percent / top, 2)

    names = [(way, f"{word} @{k}") for way, word in WAYS for k in KS]
    drawn = [
        (way, name, [(x, y(of_row[place])) for x, of_row in zip(places, values, strict=True)])
        for place, (way, name) in enumerate(names)
    ]
    heights = _apart([points[-1][1] for *_, points in drawn])
    return StudyChart(
        lines=[Line(*line, height) for line, height in zip(drawn, heights, strict=True)],
        settings=[Tick(_short(row), x) for row, x in zip(rows, places, strict=True)],
        ticks=[Tick(f"{percent}", y(percent)) for percent in range(0, top + 1, step)],
        title=KIND_NAMES[kind],
    )


def _short(row: ModelRow) -> str:
    """The sampling in a word or two: the table has it whole."""
    sampling = row.report.result["sampling"] if row.report else {}
    match sampling.get("kind"):
        case "middle":
            return f"{sampling['count']}"
        case "every":
            return f"1 in {sampling['step']}"
        case "pairs":
            return f"{sampling['count']} pairs"
        case "seconds":
            return f"{sampling['low']}–{sampling['high']}"
    return row.frames


def _apart(wanted: Sequence[float]) -> list[float]:
    """The heights of labels as near to those wanted as they fit without touching: pushed down from
    the top, then up from the bottom."""
    order = sorted(range(len(wanted)), key=lambda one: wanted[one])
    placed = list(wanted)
    for before, one in pairwise(order):
        placed[one] = max(placed[one], placed[before] + APART)
    lowest = float(HEIGHT - BOTTOM)
    for one in reversed(order):
        placed[one] = min(placed[one], lowest)
        lowest = placed[one] - APART
    return [round(height, 2) for height in placed]
