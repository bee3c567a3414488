"""Read the bytes of a data set's file, which can't be trusted, as text, CSV rows or JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.datasets.faults import DatasetInvalid, Fault, Faults
from annotate.text import binary
from annotate.text.csv_rows import Table, TableError
from annotate.text.storable import storable

MAX_BYTES = 32 * 1024 * 1024
MAX_ROWS = 500_000
PICKLES = (".pkl", ".pickle")

Row = tuple[str, dict[str, str]]


@dataclass(frozen=True)
class DatasetFile:
    name: str
    data: bytes


def refused(file: DatasetFile, mend: str, *, row: str = "", field: str = "") -> DatasetInvalid:
    return DatasetInvalid([Fault(file.name, *map(storable, (row, field, mend)))])


def read_text(file: DatasetFile) -> str:
    if len(file.data) > MAX_BYTES:
        raise refused(file, f"It is larger than {MAX_BYTES // 2**20} MiB. Split it.")
    if file.name.lower().endswith(PICKLES) or file.data[:1] == b"\x80":
        raise refused(
            file,
            "It is a pickle, and reading a pickle can run any code. Convert it to CSV on a machine "
            "where you trust it; the page on formats shows how.",
        )
    if kind := binary.refusal(file.data):
        raise refused(file, kind)
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refused(file, "It isn't UTF-8 text. Save it in UTF-8.") from None
    if "\0" in text:
        raise refused(file, "It has NUL characters. Save it as text in UTF-8.")
    if not text.strip():
        raise refused(file, "It is empty. Choose the file with the rows.")
    return text


def is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("[", "{")


def read_json(file: DatasetFile, text: str) -> Any:
    """Return the JSON with every number as its text, so that none is rounded."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, value in pairs:
            if name in values:
                raise refused(file, "It appears twice in one object. Keep one.", row=name[:80])
            values[name] = value
        return values

    try:
        return json.loads(
            text, object_pairs_hook=unique, parse_int=str, parse_float=str, parse_constant=str
        )
    except json.JSONDecodeError as error:
        raise refused(file, f"It isn't JSON: {error.msg}.", row=f"line {error.lineno}") from None
    except RecursionError:
        raise refused(file, "Its lists are nested too deeply for a data set.") from None


def read_rows(
    file: DatasetFile, text: str, columns: Sequence[str], faults: Faults
) -> Iterator[Row]:
    """Yield the place and the columns of each row of a CSV or of a JSON array of objects.

    Each of `columns` must be there; other columns are read too. A row without one is added to
    `faults`, and reading continues. Raises DatasetInvalid if the file as a whole can't be read.
    """
    rows = (
        _json_rows(file, text, faults) if is_json(text) else _csv_rows(file, text, columns, faults)
    )
    if len(rows) > MAX_ROWS:
        raise refused(file, f"It has {len(rows):,} rows; the limit is {MAX_ROWS:,}. Split it.")
    for where, row in rows:
        missing = [name for name in columns if name not in row]
        for name in missing:
            faults.add(where, name, "It is missing. Add it to each row.")
        if not missing:
            yield where, row


def _json_rows(file: DatasetFile, text: str, faults: Faults) -> list[Row]:
    data = read_json(file, text)
    if not isinstance(data, list):
        raise refused(file, "It must be a list of objects, one for each row.")
    rows = []
    for number, entry in enumerate(data, 1):
        where = f"entry {number}"
        if not isinstance(entry, dict):
            faults.add(where, "", "It must be an object with named values.")
            continue
        row = {}
        for name, value in entry.items():
            if value is None or isinstance(value, str):
                row[name] = (value or "").strip()
        rows.append((where, row))
    return rows


def _csv_rows(file: DatasetFile, text: str, columns: Sequence[str], faults: Faults) -> list[Row]:
    rows: list[Row] = []
    try:
        table = Table(io.StringIO(text, newline=""))
        if missing := [name for name in columns if name not in table.columns]:
            fix = "This column is missing. Add it."
            raise DatasetInvalid([Fault(file.name, "row 1", name, fix) for name in missing])
        for row in table:
            where = f"row {row.line}"
            if row.problem:
                faults.add(where, "", row.problem)
            else:
                rows.append((where, row.cells))
    except TableError as error:
        raise refused(file, str(error)) from None
    return rows
