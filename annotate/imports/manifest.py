"""Read the manifest, a CSV with the details of each file, before anything is stored."""

from __future__ import annotations

import io
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath, PureWindowsPath

from annotate.corpus.forms import FileFactsForm
from annotate.errors import AnnotateError
from annotate.text import binary
from annotate.text.csv_rows import Table, TableError

COLUMNS = ("file", "category", "subcategory", "license", "source_url")
# Other accepted spellings of columns.
SPELLINGS = {"licence": "license"}
MAX_BYTES = 8 * 1024 * 1024
MAX_PROBLEMS = 50


class ManifestInvalid(AnnotateError):
    """`problems` names each wrong row and how to fix it."""

    def __init__(self, problems: list[str], subject: str = "The manifest") -> None:
        more = len(problems) - MAX_PROBLEMS
        self.problems = problems[:MAX_PROBLEMS]
        if more > 0:
            self.problems.append(f"… and {more:,} more.")
        super().__init__(f"{subject} has mistakes; nothing was imported.")


def read_manifest(data: bytes, files: Collection[str]) -> dict[str, dict[str, str]]:
    """Return the details of each file, by its path relative to the manifest's folder.

    Raises ManifestInvalid unless each row names a file, each file has a row, and all values are
    valid.
    """
    rows = read_rows(data, COLUMNS)
    files = {unicodedata.normalize("NFC", name): name for name in files}
    problems: list[str] = []
    details: dict[str, dict[str, str]] = {}
    first_line: dict[str, int] = {}
    for line, row in rows:
        name = unicodedata.normalize("NFC", row.pop("file"))
        problem = _problem_with(name, files, first_line)
        form = FileFactsForm(row)
        if problem:
            problems.append(f"Row {line}: {problem}")
        elif not form.is_valid():
            problems += [
                f"Row {line}, {name}: {error}"
                for name, errors in form.errors.items()
                for error in errors
            ]
        else:
            details[files[name]] = form.cleaned_data
        first_line.setdefault(name, line)
    for name in files:
        if name not in first_line:
            problems.append(f"{name}: the manifest has no row for this file. Add one.")
    if problems:
        raise ManifestInvalid(problems)
    return details


def _problem_with(name: str, files: Collection[str], first_line: dict[str, int]) -> str:
    if not name:
        return "the column file is empty. Name the video."
    if _is_outside(name):
        return (
            f"{name!r} is outside the folder. Name a file inside it, without '..' or a first '/'."
        )
    if name in first_line:
        return f"{name} was already named in row {first_line[name]}. Keep one of the two."
    if name not in files:
        return f"there is no file {name!r}. Fix the name, or add the file."
    return ""


def _is_outside(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return path.is_absolute() or bool(PureWindowsPath(name).drive) or ".." in path.parts


def read_rows(data: bytes, columns: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """Return the line and all columns of each row that isn't blank. The first of `columns` is
    required. Raises ManifestInvalid.
    """
    if len(data) > MAX_BYTES:
        raise ManifestInvalid([f"It is larger than {MAX_BYTES // 2**20} MiB. Split the import."])
    if kind := binary.refusal(data):
        raise ManifestInvalid([kind])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ManifestInvalid(["It isn't UTF-8 text. Save it as CSV in UTF-8."]) from None
    if "\0" in text:
        raise ManifestInvalid(["It has NUL characters. Save it as CSV in UTF-8."])
    if not text.strip():
        raise ManifestInvalid(
            [f"It is empty. Its first line must name the columns: {', '.join(columns)}."]
        )
    rows, problems = [], []
    try:
        table = Table(io.StringIO(text, newline=""), pads=True)
        table.columns = [SPELLINGS.get(name, name) for name in table.columns]
        if wrong := _header_problems(table.columns, columns):
            raise ManifestInvalid(wrong)
        for row in table:
            if row.problem:
                problems.append(f"Row {row.line}: {row.problem}")
            else:
                rows.append((row.line, {name: row.cells.get(name, "") for name in columns}))
    except TableError as error:
        raise ManifestInvalid([str(error)]) from None
    if problems:
        raise ManifestInvalid(problems)
    return rows


def _header_problems(names: list[str], allowed_columns: Sequence[str]) -> list[str]:
    columns = ", ".join(allowed_columns)
    problems = [
        f"Unknown column {name!r}. The columns are: {columns}."
        for name in names
        if name not in allowed_columns
    ]
    problems += [f"Column {name!r} appears twice." for name, n in Counter(names).items() if n > 1]
    if allowed_columns[0] not in names:
        what = {"file": "file name", "url": "address"}[allowed_columns[0]]
        problems.append(
            f"There is no column {allowed_columns[0]!r}. Add one with each video's {what}."
        )
    return problems
