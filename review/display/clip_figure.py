"""A figure of clips as SVG, as papers print them: rows of pictures with their texts. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

WIDTH = 1000
MARGIN = 20
CELL_WIDTH, CELL_HEIGHT = 150, 100
GAP = 10
LINE = 16
HEADING = 26
CAPTION_LINES = 3
RIGHT, WRONG = "right", "wrong"


@dataclass(frozen=True)
class FigureClip:
    """A clip: `pictures` as data addresses, in order of time. `rank` and `mark` (RIGHT or WRONG)
    are those of a ranked clip.
    """

    name: str
    caption: str
    pictures: Sequence[str]
    rank: int | None = None
    mark: str = ""


@dataclass(frozen=True)
class FigureRow:
    """`text` is printed beside the clips, such as a modification after the query clip."""

    heading: str
    clips: Sequence[FigureClip]
    text: str = ""


@dataclass(frozen=True)
class Line:
    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Cell:
    """A picture, or a gray box if `picture` is empty."""

    x: float
    y: float
    picture: str
    mark: str = ""


@dataclass(frozen=True)
class Marked:
    """The rank and the mark of a clip, above its left corner."""

    x: float
    y: float
    rank: int
    mark: str

    @property
    def sign(self) -> str:
        return {RIGHT: "✓", WRONG: "✗"}.get(self.mark, "")


@dataclass
class Drawing:
    """A figure laid out, in the units of its SVG."""

    height: float = 0
    headings: list[Line] = field(default_factory=list)
    texts: list[Line] = field(default_factory=list)
    captions: list[Line] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    marks: list[Marked] = field(default_factory=list)
    width: float = WIDTH
    cell_width: float = CELL_WIDTH
    cell_height: float = CELL_HEIGHT


def draw_figure(rows: Sequence[FigureRow]) -> Drawing:
    """Lay the rows out below each other; clips that don't fit go to the next line."""
    drawing = Drawing()
    y = float(MARGIN)
    for row in rows:
        drawing.headings.append(Line(MARGIN, y + LINE, row.heading))
        y = _place(drawing, row, y + HEADING)
    drawing.height = y
    return drawing


def _place(drawing: Drawing, row: FigureRow, y: float) -> float:
    """Place the clips and the text of a row; return where the next one begins."""
    x = float(MARGIN)
    below = y
    for clip in row.clips:
        width = max(len(clip.pictures), 1) * (CELL_WIDTH + 2) - 2
        if x > MARGIN and x + width > WIDTH - MARGIN:
            x, y = float(MARGIN), below + GAP
        below = max(below, _place_clip(drawing, clip, x, y, width))
        x += width + GAP
    if row.text:
        if WIDTH - MARGIN - x < 2 * CELL_WIDTH and row.clips:
            x, y = float(MARGIN), below + GAP
        letters = int((WIDTH - MARGIN - x) / 9)
        for number, text in enumerate(textwrap.wrap(row.text, letters)):
            drawing.texts.append(Line(x + GAP, y + CELL_HEIGHT / 2 + number * 1.4 * LINE, text))
            below = max(below, y + CELL_HEIGHT / 2 + (number + 1) * 1.4 * LINE)
    return below + GAP


def _place_clip(drawing: Drawing, clip: FigureClip, x: float, y: float, width: float) -> float:
    if clip.rank is not None:
        drawing.marks.append(Marked(x, y + LINE - 4, clip.rank, clip.mark))
        y += LINE
    for number, picture in enumerate(clip.pictures or [""]):
        drawing.cells.append(Cell(x + number * (CELL_WIDTH + 2), y, picture, clip.mark))
    y += CELL_HEIGHT
    lines = textwrap.wrap(
        clip.caption or clip.name, int(width / 6.2), max_lines=CAPTION_LINES, placeholder=" …"
    )
    for number, text in enumerate(lines):
        drawing.captions.append(Line(x, y + (number + 1) * LINE - 2, text))
    return y + len(lines) * LINE + GAP
