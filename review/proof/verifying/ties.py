"""Compare the texts, targets and verdicts of a release with those that its reports were made of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

from review.proof.verifying.folder import Folder, Problem, Unreadable
from review.proof.verifying.parsing import parsed
from review.proof.verifying.released import (
    ABOUT,
    FILE_OF,
    LISTS,
    LOADER_TARGETS,
    RELEASED,
    SPANS,
    TRAIN,
    VERDICTS,
    Released,
    released_values,
)
from review.proof.verifying.tombstones import Tombstones

Key = tuple[str, str, str]
Value = str | list[str]
MAX_NAMED = 1000


def check_ties(folder: Folder, form: str, stones: Tombstones) -> Iterator[Problem]:
    """Yield a problem for each value that the reports were not made of. A value of an item that
    was taken down may be missing."""
    if not folder.has(RELEASED):
        yield Problem(RELEASED, "The file is missing.")
        return
    gone = stones.names
    try:
        expected = dict(_stored(folder))
        number = 0
        for number, problem in enumerate(_differences(folder, form, expected, gone), 1):
            if number <= MAX_NAMED:
                yield problem
        if number > MAX_NAMED:
            yield Problem(RELEASED, f"{number - MAX_NAMED:,} more values differ.")
    except Unreadable as error:
        yield Problem(RELEASED, str(error))


def _stored(folder: Folder) -> Iterator[tuple[Key, Value]]:
    for line in folder.lines(RELEASED):
        row = parsed(line, Released)
        names = row.value if isinstance(row.value, list) else [row.value]
        if not all(isinstance(name, str) for name in names):
            raise Unreadable("A value is neither a hash nor a list of names.")
        yield row[:3], row.value


def _differences(
    folder: Folder, form: str, expected: dict[Key, Value], gone: Collection[str]
) -> Iterator[Problem]:
    for row in released_values(form, folder.text_lines):
        key = row[:3]
        if key not in expected:
            yield Problem(_place(*key), f"{RELEASED} doesn't have it.")
            continue
        value = expected.pop(key)
        if row.value != value and not _is_shortened(row, value, gone):
            yield Problem(_place(*key), "It is not what the reports were made of.")
    is_gone = Gone(frozenset(gone), expected)
    for key in expected:
        if not is_gone.explains(*key):
            yield Problem(_place(*key), "It is missing.")


def _place(file: str, item: str, field: str) -> str:
    return f"{file}#{item}.{field}"


def _is_shortened(row: Released, value: Value, gone: Collection[str]) -> bool:
    """Return whether the value differs from `value` by what was taken down alone. A target beyond
    the loader's limit moves up."""
    if row.field not in LISTS or not isinstance(value, list):
        return f"{row.item}#{row.field}" in gone
    left = [name for name in value if name not in gone]
    moved_up = row.field == "targets" and row.file != TRAIN and len(value) == LOADER_TARGETS
    is_start = isinstance(row.value, list) and row.value[: len(left)] == left
    return bool(gone) and is_start and (moved_up or len(row.value) == len(left))


class Gone:
    """What a takedown of the items `names` explains of the values that are missing."""

    def __init__(self, names: frozenset[str], missing: Mapping[Key, Value]) -> None:
        self.names = names
        self.missing = missing

    def explains(self, file: str, item: str, field: str) -> bool:
        if not self.names:
            return False
        if file == VERDICTS:
            split, number, *_ = [*item.split(" ", 2), ""]
            queries = FILE_OF.get(split, "")
            return queries == TRAIN or self._has_lost_query(queries, number)
        if file.startswith("annotations/"):
            return self._has_lost_query(file, item)
        # A row of clips.csv begins with its number; LoVR's paths are VID/NAME.mp4.
        if file.endswith(".csv"):
            return item.partition(" ")[2] in self.names
        name = PurePosixPath(item).stem if "/" in item else item
        text = ABOUT.get(field, field.removesuffix(SPANS))
        return name in self.names or f"{name}#{text}" in self.names

    def _has_lost_query(self, file: str, item: str) -> bool:
        """Return whether a query has lost its clip or its last target."""
        clip = self.missing.get((file, item, "query_video"))
        targets = self.missing.get((file, item, "targets"))
        is_without = isinstance(targets, list) and self.names.issuperset(targets)
        return is_without or (isinstance(clip, str) and clip in self.names)
