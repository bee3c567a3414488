"""Read FineDiving: the dive in each numbered clip of a competition.

A CSV, or a JSON array of objects, with `competition`, `number` and `action_type`; or a JSON object
from `<competition>_<number>` to the action type, or to a list that begins with it. The data set's
own pickle is refused. Each clip is a file `<competition>_<number>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from annotate.datasets.faults import Fault, Faults
from annotate.datasets.files import DatasetFile, Row, read_json, read_rows, read_text
from annotate.datasets.rows import (
    WHOLE_NUMBER,
    LabeledClip,
    check_label,
    check_name,
    check_source,
    checked_clips,
    without_suffix,
)

COLUMNS = ("competition", "number", "action_type")
NAME = re.compile(r"(.+)_(\d{1,9})", re.ASCII)


def read_finediving(file: DatasetFile, left_out: list[Fault] | None = None) -> list[LabeledClip]:
    """Return the clips of a file. Adds the faults of rows to `left_out`; without it, a fault raises
    DatasetInvalid.
    """
    text = read_text(file)
    faults = Faults(file.name, left_out)
    rows: Iterable[Row]
    if text.lstrip().startswith("{"):
        rows = _rows_by_name(faults, read_json(file, text))
    else:
        rows = read_rows(file, text, COLUMNS, faults)
    clips = []
    for where, row in rows:
        competition, number, label = (row[column] for column in COLUMNS)
        check_source(faults, where, "competition", competition)
        if not WHOLE_NUMBER.fullmatch(number):
            faults.add(where, "number", "It must be the dive's number, a whole number.")
            continue
        name = f"{competition}_{int(number)}"
        check_name(faults, where, "competition", name)
        check_label(faults, where, "action_type", label)
        clips.append(LabeledClip(where, competition, name, label, None))
    return checked_clips(faults, "number", clips)


def _rows_by_name(faults: Faults, data: dict[str, Any]) -> list[Row]:
    rows = []
    for key, value in data.items():
        where = key[:80]
        name = NAME.fullmatch(without_suffix(key))
        action = value[0] if isinstance(value, list) and value else value
        if name is None:
            faults.add(where, "", "It must be named <competition>_<number>.")
        elif not isinstance(action, str):
            faults.add(
                where, "action_type", "It must be the action type, or a list that begins with it."
            )
        else:
            rows.append(
                (where, dict(zip(COLUMNS, (name[1], name[2], action.strip()), strict=True)))
            )
    return rows
