"""The table as files: CSV and LaTeX with its rows, JSON with every number. `verify.pyz` writes them
again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from review.assessment.computing import Assessment
from review.assessment.rows import Row, all_rows, sections_of
from review.display.latex import RULE, UNDEFINED, escaped, latex_text, row_line, simulated

COLUMNS = (
    *("section", "key", "name", "value", "low", "high", "n", "unit"),
    *("judgments", "people", "reason", "simulated", "computed_at", "signature"),
)
NAMES = ("assessment.csv", "assessment.json", "assessment.tex")


@dataclass(frozen=True)
class Made:
    """The table with how it was made: of a project now, or frozen in a release."""

    name: str
    is_simulated: bool
    computed_at: datetime
    signature: str
    assessment: Assessment


def file_text(name: str, made: Made) -> str:
    """Return the file of this name, one of NAMES."""
    return {
        "assessment.csv": _csv,
        "assessment.json": _json,
        "assessment.tex": _latex,
    }[name](made)


def _csv(made: Made) -> str:
    """Return the numbers unrounded, shares from 0 to 1."""
    # No cell can be taken for a formula: the texts are ours.
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([COLUMNS, *_lines(made)])
    return file.getvalue()


def _lines(made: Made) -> Iterator[list[Any]]:
    for section, row in all_rows(made.assessment):
        quantity, base = row.quantity, row.quantity.base
        yield [
            *(section, quantity.key, row.words.name),
            *(quantity.value, quantity.low, quantity.high),
            *(base.n, row.words.units, base.judgments, base.people, quantity.reason),
            *("yes" if made.is_simulated else "no", made.computed_at.isoformat(), made.signature),
        ]


def _json(made: Made) -> str:
    table = {
        "project": made.name,
        "simulated": made.is_simulated,
        "computed_at": made.computed_at.isoformat(),
        "signature": made.signature,
        "rating_study": made.assessment.study,
        "parts": [
            {
                "section": section.number,
                "title": section.title,
                "rows": [
                    {"name": row.words.name, "unit": row.words.units, **asdict(row.quantity)}
                    for row in section.rows
                ],
            }
            for section in sections_of(made.assessment)
        ],
    }
    return json.dumps(table, indent=2, ensure_ascii=False) + "\n"


def _latex(made: Made) -> str:
    caption = f"What people judged in {made.name}, with 95 % intervals. LoVR, appendix B."
    heads = ("Section", "Quantity", "Value", "95 % interval", "n", "Judgments", "People")
    rows = [row_line(map(escaped, heads))]
    for section in sections_of(made.assessment):
        rows.append(RULE)
        rows += [row_line(_cells(section.number, row)) for row in section.rows]
    return latex_text(
        simulated(caption, made.is_simulated),
        "llrrrrr",
        rows,
        comments=[simulated(escaped(made.signature), made.is_simulated)],
        needs=r"\usepackage{booktabs}",
    )


def _cells(section: str, row: Row) -> list[str]:
    texts = [row.words.name, row.value, row.interval, row.n, *row.counts]
    return [section, *(escaped(text) or UNDEFINED for text in texts)]
