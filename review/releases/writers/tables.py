"""The tables of a release, described once for every format that writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from review.exchange.files import ExportFile

Rows = Callable[[], Iterator[Sequence[Any]]]
Kind = Literal[
    "text", "integer", "number", "boolean", "texts", "integers", "object", "objects", "spans"
]
# The column with the path of a row's video in the folder.
FILE_NAME = "file_name"
SPLIT = "test"


@dataclass(frozen=True)
class Column:
    """`is_optional`: a value may be None."""

    name: str
    kind: Kind
    about: str
    is_optional: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of one kind. `rows` yields their values in the order of the columns, the same at each
    call.

    `has_own_files`: no two rows share a video in the column `file_name`. `place`: the table's
    folder in Hugging Face's form, with its `videos`, a pattern, in it or below.
    """

    name: str
    about: str
    columns: tuple[Column, ...]
    count: int
    rows: Rows
    has_own_files: bool = False
    split: str = SPLIT
    place: str = ""
    videos: str = ""

    def records(self) -> Iterator[dict[str, Any]]:
        names = [column.name for column in self.columns]
        return (dict(zip(names, row, strict=True)) for row in self.rows())


@dataclass(frozen=True)
class Making:
    """Sentences on how a release was made, only from what it froze; "" if unknown."""

    summary: str
    collection: str
    protocol: str
    composition: str
    per_item: str = ""
    tools: tuple[str, ...] = ()


@dataclass(frozen=True)
class Content:
    """The frozen content of a release, as every general format writes it.

    `tables` have a row per clip or video with all its texts. `records` have everything once, with
    ids. `videos` are the files that the tables name. `licenses`: (file name, provenance) of each
    source. `texts`: further files, as (name, text). `arrays`: further files of the native format.
    `licensed`: what the release's license covers.
    """

    tables: tuple[Table, ...]
    records: tuple[Table, ...]
    videos: list[ExportFile]
    licenses: list[tuple[str, dict[str, Any]]]
    making: Making
    texts: dict[str, str] = field(default_factory=dict)
    arrays: tuple[ExportFile, ...] = ()
    licensed: str = "Captions"
