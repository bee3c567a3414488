"""Read the rows of a file of human captions, of whatever kind it is. Its content is untrusted.
Pure.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from annotate.datasets.faults import Faults
from annotate.text import binary
from annotate.text.csv_rows import Table, TableError, read_records, sniffed
from review.captions.predictions import (
    BOM,
    MAX_CAPTION_LENGTH,
    MAX_FAULTS,
    json_object,
    json_rows,
)
from review.errors import ReviewError
from review.published import cues, data_sets, label_studio
from review.published.bundled import ZIP, read_bundled
from review.published.data_sets import CLIP_KEYS, TEXT_KEYS
from review.published.parquet import MAGIC, rows_of_parquet

PARTS = {"spatial": "spatial_caption", "temporal": "temporal_caption"}
LISTS = ("events", "objects")
PICKLES = (".pkl", ".pickle")
JSON = (".json", ".jsonl", ".ndjson")
TABLES = (".csv", ".tsv")
LANGUAGE = "english"
_LIKE_JSON = re.compile(rb"(?:" + BOM + rb")?\s*[\[{]\s*[\[{\"\]}]")
MSVD_VIDEO = ("videoid", "start", "end")

Rows = Iterator[tuple[str, Any]]


def rows_of_file(data: bytes, file_name: str, faults: Faults) -> Rows:
    """Return the rows, recognized by the file's name or, where that says nothing, its content. A
    row's fault goes to `faults`. Raises ReviewError for a kind of file that isn't read."""
    name = file_name.lower()
    if name.endswith(PICKLES):
        raise ReviewError(
            "A pickle can run programs, so it isn’t opened. Save it as JSON: one object per line "
            "with video and caption."
        )
    if name.endswith(ZIP):
        return read_bundled(data, file_name, faults, rows_of_file)
    if name.endswith(".parquet") or data[:4] == MAGIC:
        columns = (*CLIP_KEYS, *TEXT_KEYS, *PARTS.values(), *LISTS, "category", "subcategory")
        return rows_of_parquet(data, columns)
    if refusal := binary.refusal(data):
        raise ReviewError(refusal)
    is_like_json = _LIKE_JSON.match(data) and not name.endswith(TABLES)
    if name.endswith(JSON) or is_like_json or not data.strip():
        return _json_rows(data, faults)
    return _rows_of_text(_text(data), file_name, faults)


def _json_rows(data: bytes, faults: Faults) -> Rows:
    file = io.BytesIO(data)
    whole = json_object(file, len(data))
    if whole is not None and not data_sets.is_row(whole):
        return data_sets.rows_of_object(whole)
    return data_sets.known_rows(json_rows(file, len(data), faults, has_numbers=True), faults)


def _rows_of_text(text: str, file_name: str, faults: Faults) -> Rows:
    name = file_name.lower()
    if name.endswith(".vtt") or cues.is_webvtt(text):
        return cues.caption_of_webvtt(text, file_name, faults)
    if name.endswith(".srt") or cues.is_subrip(text):
        return cues.caption_of_subrip(text, file_name, faults)
    if "\0" in text:
        raise ReviewError("The file has NUL characters. Save it as text in UTF-8.")
    if label_studio.is_conll(text):
        raise ReviewError(label_studio.refusal("CONLL2003"))
    if data_sets.is_charades(text):
        return data_sets.rows_of_charades(text, faults)
    if name.endswith(TABLES) or _names_columns(text):
        return data_sets.known_rows(_table_rows(text, faults), faults)
    if name.endswith(".txt"):
        return _text_lines(text, faults)
    raise ReviewError(
        "The file is of a kind that isn’t read. Choose JSON, JSONL, CSV, Parquet, WebVTT, SRT, or "
        "a text with the name of a video, a space and a sentence in each line, as .txt."
    )


def _text(data: bytes) -> str:
    try:
        return data.removeprefix(BOM).decode()
    except UnicodeDecodeError:
        raise ReviewError("The file isn't UTF-8 text. Save it in UTF-8.") from None


def _names_columns(text: str) -> bool:
    """Return whether the first line names columns with a video and a caption."""
    separator, lines = sniffed(text.lstrip().split("\n", 1)[:1])
    cells = [cell for row in read_records(lines, separator=separator) for cell in row.cells]
    return _problem_with([cell.strip().lower() for cell in cells]) == ""


def _problem_with(columns: list[str]) -> str:
    """Return what a table's columns lack; "" if they have a video and a caption."""
    if "annotation_id" in columns:  # of Label Studio, whose controls have any names
        return ""
    if not {*MSVD_VIDEO} <= {*columns} and not {*CLIP_KEYS} & {*columns}:
        return f"The file has no column with the video. Name one {' or '.join(CLIP_KEYS)}."
    if not {*TEXT_KEYS, *PARTS.values(), "encap"} & {*columns}:
        return f"The file has no column with the caption. Name one {' or '.join(TEXT_KEYS)}."
    return ""


def _table_rows(text: str, faults: Faults) -> Rows:
    """Yield the rows of a table with commas, semicolons or tabs. MSVD names a video by its source,
    start and end, and has captions in many languages; only the English ones are read."""
    try:
        table = Table(io.StringIO(text, newline=""), longest=MAX_CAPTION_LENGTH * 4)
        columns = [name.lower() for name in table.columns]
        if problem := _problem_with(columns):
            listed = ", ".join(columns)[:200]
            raise ReviewError(f"{problem} Its columns are: {listed}.")
        for table_row in table:
            where = f"line {table_row.line}"
            row = {name.lower(): cell for name, cell in table_row.cells.items()}
            if table_row.problem:
                faults.add(where, "", table_row.problem)
            elif (row.get("language") or LANGUAGE).lower() == LANGUAGE:
                if {*MSVD_VIDEO} <= row.keys():
                    row["video"] = "_".join(row[name] for name in MSVD_VIDEO)
                yield where, row
            if len(faults.collected) >= MAX_FAULTS:
                return
    except TableError as error:
        raise ReviewError(f"The file can’t be read as CSV. {error}") from None


def _text_lines(text: str, faults: Faults) -> Rows:
    """Yield MSVD's lines: the name of a video, a space or a tab, and a sentence."""
    for number, line in enumerate(text.split("\n"), 1):
        name, _, sentence = line.strip().partition("\t" if "\t" in line else " ")
        if not name or name.startswith("#"):
            continue
        if not sentence.strip():
            mend = "It has no text after the video’s name. Add it, or remove the line."
            faults.add(f"line {number}", "caption", mend)
            continue
        yield f"line {number}", {"video": name, "caption": sentence}
