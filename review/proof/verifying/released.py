"""The texts, targets and verdicts in the files of a release, which its reports count and score."""

from __future__ import annotations

import ast
import csv
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from review.proof.verifying.folder import Unreadable

RELEASED = "reports/released.jsonl"
METADATA = "json/metadata.json"
CLIPS, VIDEOS = "caption_data/all_clip.jsonl", "caption_data/all_video.jsonl"
TRAIN, VALIDATION = "annotations/train_finegd.csv", "annotations/val_finegd.csv"
TEST = "annotations/test_finegd.csv"
FILE_OF = {"train": TRAIN, "validation": VALIDATION, "test": TEST}
VERDICTS = "verdicts.jsonl"
# The file that only this form has: what a folder is doesn't rest on what its manifest says.
FORMS = {"carebench": METADATA, "lovr": CLIPS, "tfcovr": TRAIN}
# The first columns of the other tables of TF-CoVR's form, which name a row.
TABLES = {"clips.csv": 2, "labels.csv": 1, "modifications.csv": 4}
# Fields with names of clips. A takedown shortens the lists.
LISTS = ("targets", "valid", "wrong", "added")
NAMES = ("query_video", *LISTS)
# The loader of TF-CoVR fails with more targets, so its files have the first of them.
LOADER_TARGETS = 10
# Fields that go with the text of another field.
ABOUT = {"events": "temporal_caption", "objects": "spatial_caption"}
SPANS = "_spans"
Lines = Callable[[str], Iterator[str]]
Kind = TypeVar("Kind")
NOT_IN_FORM = (
    *(ValueError, KeyError, TypeError, AttributeError),
    *(ZeroDivisionError, SyntaxError, RecursionError, csv.Error),
)


class Released(NamedTuple):
    """A field of an item in a file. `value`: names of clips, or the SHA-256 of anything else."""

    file: str
    item: str
    field: str
    value: Any


def released_values(form: str, lines: Lines) -> Iterator[Released]:
    """Yield the values of all files of this form. `lines` yields the lines of a file, with their
    ends. Raises Unreadable."""
    try:
        yield from READERS[form](lines)
    except NOT_IN_FORM as error:
        raise _unreadable(error) from error


def read_in_form(read: Callable[[], Kind]) -> Kind:
    """Return what `read` does. Raises Unreadable if files aren't in their form."""
    try:
        return read()
    except NOT_IN_FORM as error:
        raise _unreadable(error) from error


def _unreadable(error: Exception) -> Unreadable:
    reason = f"The released texts aren't in their form: {type(error).__name__}: {error}"
    return Unreadable(reason[:300])


def json_items(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON array with one on each line, without reading all of it."""
    for line in lines:
        text = line.strip().removesuffix(",")
        if text not in ("[", "]", ""):
            yield _object(text)


def json_rows(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    return (_object(line) for line in lines)


def csv_rows(lines: Iterator[str]) -> Iterator[dict[str, str]]:
    return csv.DictReader(lines, strict=True)


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("a line is not a JSON object")
    return value


def _clips_with_texts(lines: Lines) -> Iterator[Released]:
    for row in json_items(lines(METADATA)):
        yield from _fields(METADATA, row["video"], row, ("video",))


def _scenes(lines: Lines) -> Iterator[Released]:
    for file, key in ((CLIPS, "path"), (VIDEOS, "vid")):
        for row in json_rows(lines(file)):
            yield from _fields(file, row[key], row, (key,))


def _triplets(lines: Lines) -> Iterator[Released]:
    for (clip, _), of_query in groupby(csv_rows(lines(TRAIN)), _query_of):
        rows = list(of_query)
        facts = {**rows[0], "targets": [row.pop("target_video") for row in rows]}
        item = f"{clip} {rows[0]['label2']}"
        yield from _fields(TRAIN, item, facts, ("target_video",))
    for file in (VALIDATION, TEST):
        for row in csv_rows(lines(file)):
            targets = ast.literal_eval(row["target_videos_ids"])
            if targets[0] != row["target_video"]:
                raise ValueError(f"{file}: the target of query {row['query_id']} is not its first")
            facts = {**row, "targets": targets}
            yield from _fields(file, row["query_id"], facts, ("target_video", "target_videos_ids"))
    for file, keys in TABLES.items():
        for row in csv_rows(lines(file)):
            values = list(row.values())
            yield Released(file, " ".join(values[:keys]), "row", _digest(values))
    for row in json_rows(lines(VERDICTS)):
        item = f"{row['split']} {row['query']} {row['by']}"
        yield from _fields(VERDICTS, item, row, ("split", "query", "by"))


def _query_of(row: Mapping[str, str]) -> tuple[str, str]:
    return row["query_video"], row["modification"]


def _fields(
    file: str, item: str, row: Mapping[str, Any], left_out: tuple[str, ...]
) -> Iterator[Released]:
    for name, value in row.items():
        if name in left_out:
            continue
        yield Released(file, item, name, value if name in NAMES else _digest(value))


def _digest(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


READERS: dict[str, Callable[[Lines], Iterator[Released]]] = {
    "carebench": _clips_with_texts,
    "lovr": _scenes,
    "tfcovr": _triplets,
}
