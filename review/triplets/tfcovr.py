"""Read TF-CoVR's triplet files. Their Python literals are never evaluated. Pure.

Every error in a file is a ReviewError that names the file, the line and the fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from annotate.text.csv_rows import Table, TableError
from review.errors import ReviewError
from review.triplets.writers import TEST_COLUMNS, TRAIN_COLUMNS

# Longer than any text or list of targets; a longer literal could exhaust the parser.
MAX_LITERAL_LENGTH = 50_000


@dataclass(frozen=True)
class Line:
    """One row: `targets` are all valid clips, the primary one first. `source` and `target` are keys
    of labels, empty if the file leaves them to the clips.
    """

    file: str
    number: int
    clip: str
    text: str
    targets: tuple[str, ...]
    source: str = ""
    target: str = ""
    unit: str = "line"

    def refuse(self, what: str) -> ReviewError:
        return refusal(self.file, self.number, what, self.unit)


def refusal(file: str, line: int, what: str, unit: str = "line") -> ReviewError:
    return ReviewError(f"{file}, {unit} {line}: {what}")


def read_train(file: str, lines: Iterable[str]) -> Iterator[Line]:
    for number, row in read_rows(file, lines, TRAIN_COLUMNS):
        modifications = _literal(file, number, "modification", row["modification"])
        text = None
        if isinstance(modifications, dict) and isinstance(
            of_target := modifications.get(row["label2"]), dict
        ):
            text = of_target.get("modification")
        if not isinstance(text, str):
            due = f"{{'{row['label2']}': {{'modification': '…'}}}}"
            raise refusal(file, number, f"modification must be a Python literal such as {due}.")
        yield Line(
            file,
            number,
            row["query_video"],
            text,
            (row["target_video"],),
            row["label1"],
            row["label2"],
        )


def read_test(file: str, lines: Iterable[str]) -> Iterator[Line]:
    for place, (number, row) in enumerate(read_rows(file, lines, TEST_COLUMNS)):
        if row["query_id"] != str(place):
            due = f"query_id is {row['query_id'][:20]!r}; it must be {place}. Ids count from 0."
            raise refusal(file, number, due)
        targets = _literal(file, number, "target_videos_ids", row["target_videos_ids"])
        if not (
            isinstance(targets, list) and targets and all(isinstance(name, str) for name in targets)
        ):
            raise refusal(file, number, "target_videos_ids must be a list of names, not empty.")
        if targets[0] != row["target_video"]:
            raise refusal(file, number, "target_video must be the first of target_videos_ids.")
        if len(set(targets)) < len(targets):
            raise refusal(file, number, "target_videos_ids names a clip twice.")
        yield Line(file, number, row["query_video"], row["modification"], tuple(targets))


def read_rows(
    file: str, lines: Iterable[str], columns: tuple[str, ...]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each row with the number of the line on which it begins."""
    number = 1
    try:
        table = Table(lines)
        missing = set(columns) - set(table.columns)
        if missing:
            raise refusal(file, 1, f"these columns are missing: {', '.join(sorted(missing))}.")
        for row in table:
            number = row.line
            if row.problem:
                raise refusal(file, number, row.problem)
            yield number, row.cells
    except TableError as error:
        raise refusal(file, number, str(error)) from None
    except UnicodeDecodeError:
        raise refusal(file, number + 1, "save the file as UTF-8.") from None


def _literal(file: str, line: int, column: str, text: str) -> object:
    if len(text) > MAX_LITERAL_LENGTH:
        raise refusal(file, line, f"{column} is longer than {MAX_LITERAL_LENGTH} characters.")
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise refusal(file, line, f"{column} is not a Python literal.") from error
